create table meta (
  key text primary key,
  value text not null
) strict, without rowid;

create table config (
  key text primary key,
  value text not null,
  changed_at text not null
) strict, without rowid;

create table consents (
  number integer primary key,
  id text not null unique,
  mode text not null,
  given_at text not null,
  given_by text not null
) strict;

create table sources (
  id text primary key,
  name text not null,
  local_path text,
  federated integer,
  is_default integer not null default 0,
  language text not null default 'english',
  indexed_in text not null default 'english',
  created_at text not null
) strict, without rowid;

create table pages (
  id integer primary key autoincrement,
  source_id text not null references sources (id),
  slug text not null,
  tail text not null,
  title text not null,
  title_key text not null,
  type text not null,
  frontmatter text not null,
  body_start integer not null,
  summary text not null,
  version integer not null,
  content_hash text not null,
  private integer not null,
  confidence real,
  expiry text,
  effective_date text,
  effective_date_source text not null,
  created_at text not null,
  last_modified text not null,
  modified_by text not null,
  deleted_at text,
  changed integer not null,
  wired integer not null default 0,
  unread integer not null default 0,
  unique (source_id, slug)
) strict;
create index pages_by_title on pages (source_id, title_key);
create index pages_by_tail on pages (source_id, tail);
create index pages_by_change on pages (source_id, last_modified, slug);

create index pages_by_date on pages (source_id, effective_date) where effective_date_source <> 'fallback';
create index pages_by_number on pages (changed);
create index pages_unwired on pages (source_id, changed) where wired < version;
create index pages_unread on pages (source_id, slug) where unread = 1;

-- With a rowid: in a table without one a text of more than 1 kB takes whole pages of the file of its own.
create table page_versions (
  source_id text not null,
  page_id integer not null references pages (id),
  version integer not null,
  content text not null,
  body_start integer not null,
  private integer not null,
  content_hash text not null,
  modified_at text not null,
  modified_by text not null,
  reason text,
  primary key (page_id, version)
) strict;

create table files (
  source_id text not null references sources (id),
  path text not null,
  page_id integer references pages (id),
  version integer,
  hash text not null,
  mtime integer not null,
  size integer not null,
  readable integer not null,
  doubts text,
  pending text,
  primary key (source_id, path)
) strict, without rowid;
create index files_by_page on files (page_id);

create table former_slugs (
  source_id text not null,
  slug text not null,
  page_id integer not null references pages (id),
  primary key (source_id, slug)
) strict, without rowid;
create index former_slugs_by_page on former_slugs (page_id);

create table aliases (
  source_id text not null,
  alias_key text not null,
  page_id integer not null references pages (id),
  primary key (source_id, alias_key, page_id)
) strict, without rowid;
create index aliases_by_page on aliases (page_id);

-- What people call pages, as `domain/offers/callings.py` tells, for whoever has no text index to ask. A name is there as
-- its number. Nothing finds the rows of a page: what it was called until it changed tells which they are.
create table callings (
  source_id text not null,
  name integer not null,
  page_id integer not null,
  form integer not null,
  primary key (source_id, name, page_id)
) strict, without rowid;

create table name_words (
  source_id text not null,
  word text not null,
  reversed text not null,
  world integer not null,
  total integer not null,
  primary key (source_id, word)
) strict, without rowid;
create index name_words_reversed on name_words (source_id, reversed);

create table tags (
  source_id text not null,
  page_id integer not null references pages (id),
  tag text not null,
  origin text not null,
  primary key (source_id, page_id, tag)
) strict, without rowid;
create index tags_by_page on tags (page_id);
create index tags_by_tag on tags (source_id, tag);

create table links (
  id integer primary key,
  source_id text not null,
  from_id integer not null references pages (id),
  to_id integer not null references pages (id),
  link_type text not null,
  link_source text not null,
  context text,
  place integer,
  origin_id integer not null references pages (id),
  origin_field text,
  date text,
  counted integer not null,
  from_state integer not null,
  from_expiry text,
  since text not null,
  unique (source_id, from_id, to_id, link_type, link_source, origin_id)
) strict;
create index links_from on links (from_id);
create index links_to on links (to_id);
create index links_expiring on links (to_id) where from_expiry is not null;
create index links_of_others on links (origin_id) where origin_id <> from_id;

create table refs (
  source_id text not null,
  page_id integer not null references pages (id),
  place integer not null,
  field text,
  written text,
  wanted_source text not null,
  slug text not null,
  near text not null,
  name text not null,
  hints text not null,
  listed integer not null,
  link_type text not null,
  reversed integer not null,
  context text,
  date text,
  to_id integer,
  primary key (page_id, place)
) strict, without rowid;
create index refs_by_slug on refs (slug, to_id);
create index refs_by_near on refs (near) where near <> '';
create index refs_by_name on refs (name) where name <> '';
create index refs_by_target on refs (to_id);
create index refs_open on refs (source_id, page_id) where to_id is null and listed = 1;

create table backlink_counts (
  source_id text not null,
  page_id integer not null references pages (id),
  world integer not null,
  total integer not null,
  primary key (page_id, source_id)
) strict, without rowid;

create table timeline (
  id integer primary key,
  source_id text not null,
  page_id integer not null references pages (id),
  date text not null,
  summary text not null,
  source text,
  detail text,
  origin text not null,
  created_at text not null
) strict;
create index timeline_by_page on timeline (page_id, date);
create index timeline_by_date on timeline (source_id, date);

create table facts (
  id integer primary key autoincrement,
  source_id text not null references sources (id),
  fact text not null,
  fingerprint text not null,
  kind text not null,
  entity_slug text,
  entity_name text,
  entity_key text not null,
  visibility text not null,
  notability text not null,
  valid_from text not null,
  valid_until text,
  expired_at text,
  expired_reason text,
  superseded_by integer,
  provenance text not null,
  session text,
  context text,
  confidence real not null,
  created_at text not null,
  row_key text,
  mirrored integer not null default 0,
  dated text,
  metric text,
  value real,
  unit text,
  period text,
  made_by text,
  consent text,
  saved_by text,
  reviewed_at text,
  stated_until text
) strict;
create index facts_by_entity on facts (source_id, entity_key, valid_from);
create index facts_by_time on facts (source_id, valid_from);
create index facts_by_creation on facts (source_id, created_at);
create index facts_by_fingerprint on facts (source_id, fingerprint);
create index facts_by_session on facts (source_id, session, created_at) where session is not null;
create index facts_lapsing on facts (source_id, valid_until) where valid_until is not null;
create index facts_ended on facts (source_id, expired_at) where expired_at is not null;
create index facts_measured on facts (source_id, entity_key, metric) where metric is not null;
create index facts_by_consent on facts (source_id, consent) where consent is not null;
create index facts_held on facts (source_id, kind, valid_from) where kind in ('commitment', 'preference');
create index facts_to_mirror on facts (source_id, entity_key)
  where mirrored = 0 and (visibility = 'world' or row_key is not null);

create table chunks (
  id integer primary key autoincrement,
  source_id text not null,
  page_id integer not null references pages (id),
  ordinal integer not null,
  starts integer not null,
  ends integer not null,
  heading text not null,
  hash text not null,
  words blob not null
) strict;
create index chunks_by_page on chunks (page_id, ordinal);

create table embedding_models (
  id integer primary key autoincrement,
  name text not null,
  dimension integer not null,
  centre blob not null,
  changed integer not null,
  created_at text not null
) strict;

create table chunk_vectors (
  id integer primary key,
  source_id text not null,
  private integer not null,
  model integer not null,
  changed integer not null,
  scale real,
  code blob
) strict;
create index chunk_vectors_by_model on chunk_vectors (model, changed);

create table fact_vectors (
  id integer primary key,
  source_id text not null,
  private integer not null,
  model integer not null,
  changed integer not null,
  scale real,
  code blob
) strict;
create index fact_vectors_by_model on fact_vectors (model, changed);

create table leases (
  name text primary key,
  holder text not null,
  expires_at text not null
) strict, without rowid;

create table turns (
  source_id text not null,
  key text not null,
  state text not null,
  holder text not null,
  held_until text not null,
  facts text not null,
  made_by text,
  said_at text not null,
  done_at text,
  primary key (source_id, key)
) strict, without rowid;

create table harvests (
  source_id text not null,
  session text not null,
  names text not null,
  taken_at text not null,
  primary key (source_id, session)
) strict, without rowid;

create table sessions (
  source_id text not null,
  client text not null,
  session text not null,
  since text not null,
  page_changed integer not null,
  fact_id integer not null,
  used_at text not null,
  primary key (source_id, client, session)
) strict, without rowid;

create table usage (
  day text not null,
  client_id text not null,
  operation text not null,
  ok integer not null,
  failed integer not null,
  primary key (day, client_id, operation)
) strict, without rowid;

create table model_calls (
  id integer primary key,
  day text not null,
  started_at text not null,
  purpose text not null,
  model text not null,
  session text,
  turn text,
  held_tokens integer not null,
  held_micro_usd integer not null,
  input_tokens integer,
  output_tokens integer,
  micro_usd integer,
  tries integer not null,
  latency_ms integer,
  outcome text not null
) strict;
create index model_calls_by_day on model_calls (day, held_tokens, held_micro_usd);
create index model_calls_by_session on model_calls (session) where session is not null;
create index model_calls_by_turn on model_calls (turn) where turn is not null;

create table model_places (
  place text primary key,
  failures integer not null,
  open_until text
) strict, without rowid;

create table clients (
  id text primary key,
  name text not null,
  kind text not null,
  token_hash text,
  app_id text,
  scopes text not null,
  sources text,
  surface text not null,
  slugs text,
  created_at text not null,
  expires_at text,
  revoked_at text,
  last_used_at text
) strict, without rowid;
create unique index clients_by_name on clients (name) where revoked_at is null;
create unique index clients_by_token on clients (token_hash) where token_hash is not null;

create table oauth_apps (
  id text primary key,
  name text not null,
  secret_hash text,
  auth_method text not null,
  redirect_uris text not null,
  grant_types text not null,
  dynamic integer not null,
  created_at text not null,
  approved_at text
) strict, without rowid;

create table oauth_codes (
  code_hash text primary key,
  app_id text not null,
  details text not null,
  expires_at text not null,
  client_id text
) strict, without rowid;

create table oauth_tokens (
  token_hash text primary key,
  kind text not null,
  client_id text not null references clients (id),
  scopes text not null,
  resource text not null,
  expires_at text not null,
  used_at text
) strict, without rowid;
create index oauth_tokens_by_client on oauth_tokens (client_id);

create table approvals (
  code_hash text primary key,
  request_hash text,
  proof_hash text,
  expires_at text not null
) strict, without rowid;

-- Each source's texts are indexed apart, in tables numbered by its place that are made with its first text.
create table text_places (
  source_id text primary key,
  place integer not null unique
) strict, without rowid;

-- The shape of a grown brain, told once: a planner without statistics takes one source for few rows and walks it.
analyze sources;
delete from sqlite_stat1;
insert into sqlite_stat1 (tbl, idx, stat) values
  ('pages', 'sqlite_autoindex_pages_1', '20000 20000 1'),
  ('pages', 'pages_by_title', '20000 20000 1'),
  ('pages', 'pages_by_tail', '20000 20000 1'),
  ('pages', 'pages_by_change', '20000 20000 2 1'),
  ('pages', 'pages_by_date', '10000 10000 5'),
  ('pages', 'pages_by_number', '20000 1'),
  ('page_versions', 'sqlite_autoindex_page_versions_1', '25000 2 1'),
  ('files', 'files', '20000 20000 1'),
  ('files', 'files_by_page', '20000 1'),
  ('aliases', 'aliases', '30000 30000 1 1'),
  ('aliases', 'aliases_by_page', '30000 2'),
  ('callings', 'callings', '80000 80000 2 1'),
  ('name_words', 'name_words', '40000 40000 1'),
  ('name_words', 'name_words_reversed', '40000 40000 1'),
  ('links', 'sqlite_autoindex_links_1', '100000 100000 5 1 1 1 1'),
  ('links', 'links_from', '100000 5'),
  ('links', 'links_to', '100000 20'),
  ('links', 'links_of_others', '5000 5'),
  ('refs', 'refs', '100000 5 1'),
  ('refs', 'refs_by_slug', '100000 5 4'),
  ('refs', 'refs_by_near', '10000 2'),
  ('refs', 'refs_by_name', '10000 3'),
  ('refs', 'refs_by_target', '100000 5'),
  ('refs', 'refs_open', '5000 5000 2'),
  ('pages', 'pages_unwired', '100 100 1'),
  ('pages', 'pages_unread', '10 10 1'),
  ('timeline', 'timeline_by_page', '20000 4 1'),
  ('timeline', 'timeline_by_date', '20000 20000 5'),
  ('facts', 'facts_by_entity', '40000 40000 10 1'),
  ('facts', 'facts_by_time', '40000 40000 1'),
  ('facts', 'facts_by_creation', '40000 40000 1'),
  ('facts', 'facts_by_fingerprint', '40000 40000 1'),
  ('facts', 'facts_to_mirror', '100 100 2'),
  ('facts', 'facts_measured', '100 100 5 2'),
  ('facts', 'facts_held', '8000 8000 4000 1'),
  ('turns', 'turns', '20000 20000 1'),
  ('chunks', 'chunks_by_page', '40000 3 1'),
  ('chunk_vectors', 'chunk_vectors_by_model', '40000 40000 64'),
  ('fact_vectors', 'fact_vectors_by_model', '40000 40000 64'),
  ('sources', 'sources', '1 1');
analyze sqlite_schema;
