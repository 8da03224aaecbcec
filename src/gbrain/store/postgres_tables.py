"""What PostgreSQL's own catalogue says of the tables of a brain, and how they are asked of it."""

TABLES = (
    "select relname as name from pg_class where relkind in ('r', 'p')"
    " and relnamespace = cast(current_schema() as regnamespace)"
)
SHAPES = (
    "select c.relname as name, array_agg(cast(a.attname as text) order by a.attnum) as columns,"
    " (select array_agg(cast(k.attname as text) order by array_position(cast(i.indkey as int2[]), k.attnum))"
    " from pg_index i join pg_attribute k on k.attrelid = i.indrelid and k.attnum = any (i.indkey)"
    " where i.indrelid = c.oid and i.indisprimary) as key"
    " from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped"
    " where c.relkind in ('r', 'p') and c.relnamespace = cast(current_schema() as regnamespace)"
    " and c.relname not in (:besides) group by c.oid, c.relname order by c.relname"
)
COLUMN = (
    "select 1 as there from pg_attribute where attrelid = to_regclass(:table) and attname = 'embedding'"
    " and not attisdropped"
)
NUMBERED = (
    "select c.relname as table, a.attname as column, pg_get_serial_sequence(c.relname, a.attname) as sequence"
    " from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''"
    " where c.relkind in ('r', 'p') and c.relnamespace = cast(current_schema() as regnamespace) order by c.relname"
)
SOURCED = (
    "select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid"
    " where c.relnamespace = cast(current_schema() as regnamespace) and c.relkind in ('r', 'p')"
    " and a.attname = 'source_id' and not a.attisdropped order by c.relname"
)
