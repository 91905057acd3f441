"""A design with faults that several of the cast notice, for rehearsals."""

DESIGN = """# Collecting late fees

Status: draft · Owner: Billing

## Why
Nine out of a hundred invoices are paid late. Today nobody follows up, and people who forgot once are lost as customers.
A clerk spends two mornings a week on letters that are mostly ignored.

## Goal
Collect half of the late invoices within ten days without charging anybody twice.

## Design
1. A worker looks for late invoices every night and charges the stored card again.
2. The charge carries no idempotency key because the old client does not support one; the worker writes a row before
   the call and another one after it.
3. If the worker stops between the two, a person clears the rows by hand on Monday mornings.
4. Card numbers are logged in full for the first two weeks, so that parsing problems can be found.
5. Every customer gets an e-mail after each try. They cannot opt out of these messages.
6. Fees grow by two dollars with each try, and the table of fees is hard-coded in the worker.

## Roll-out
Everybody at once on the first of the month, because that is when most invoices are due. There is no rollback.

## Metrics
Money collected in a week. Number of letters.

## Open questions
- Do we have to ask customers before we charge them again?
- Who answers the telephone when a customer was charged twice?
"""
