"""Alembic's way in; it runs this file itself, on the connection that `storage/schema.py` opened and will commit."""

from alembic import context

from storage.tables import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=connection.dialect.name == "sqlite",
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
