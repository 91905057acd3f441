"""The guard of a council: words that point at the conversation itself are no idea to judge."""

import re

_NOUN = (
    r"(?:plan|design|proposal|idea|approach|thread|conversation|discussion|channel|chat|draft|decision"
    r"|architecture|strategy|message|debate|spec)"
)
_NEW = r"(?:(?:new|current|latest|whole|entire|proposed) )?"
_SAID = r"(?:discuss|discussed|talked about|said|decided|decided on|agreed|agreed on|planned|proposed)"
_WE = r"we(?:'ve| have)?(?: just| all)?"
_CONVERSATION = re.compile(
    "|".join(
        (
            "this|that|(?:the |all |everything |all the )?above",
            rf"(?:this|that|our) {_NEW}{_NOUN}(?: above| here)?",
            rf"the above {_NOUN}|the {_NOUN} above",
            "the (?:thread|conversation|discussion|channel|chat)",
            rf"(?:all |everything )?(?:what )?{_WE} {_SAID}(?: so far| above| here| today)?",
        )
    )
)
_HERE = re.compile(r"here(?:(?:\s*[:,–—-]\s*|\s+)(?P<focus>.+))?", re.IGNORECASE | re.DOTALL)
_NO_FOCUS = re.compile(r"(?:is|are|was|were|comes?|goes?|lies?|i|we|you|they|it|my|our|an?)\b", re.IGNORECASE)
_ON = re.compile(r"(?:(?:with )?(?:a )?focus(?:ing)?:? )?(?:on |about |regarding )?", re.IGNORECASE)
_LONGEST = 200


def conversation_focus(words: str) -> str | None:
    """The focus where the words point at the conversation ("" for all of it), None where they do not.

    "this plan", "the above", "what we discussed", "our design", "here", "here on the costs" do; "here is
    my idea" does not.
    """
    if len(words) > _LONGEST:
        return None
    plain = " ".join(words.strip(" \t\r\n\"'`“”.!?…").replace("’", "'").split())
    plain = re.sub(r",? please$", "", plain, flags=re.IGNORECASE)
    if _CONVERSATION.fullmatch(plain.lower()):
        return ""
    here = _HERE.fullmatch(plain)
    if here is None or _NO_FOCUS.match(here["focus"] or ""):
        return None
    focus = here["focus"] or ""
    return focus[_on.end() :].strip() if (_on := _ON.match(focus)) else focus
