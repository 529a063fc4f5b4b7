-- One row an append. text, not jsonb: jsonb refuses a zero character, which a provider's data may hold.
CREATE TABLE journal (
  n bigint PRIMARY KEY,
  events text NOT NULL
);
