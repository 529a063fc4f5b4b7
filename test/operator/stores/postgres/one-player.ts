/** A function of the schema; comments and what its texts hold are left out. */
export interface SchemaFunction {
  readonly name: string;
  readonly body: string;
}

/** The functions that this SQL creates, with `{schema}` for the schema. */
export function functionsIn(sql: string): SchemaFunction[] {
  const form = /CREATE FUNCTION \{schema\}\.(\w+)\([\s\S]*?AS \$\$([\s\S]*?)\$\$/g;
  return [...sql.matchAll(form)].map(([, name = '', body = '']) => ({ name, body: bare(body) }));
}

/** The tables and views whose rows belong to players: the rows of two players may be on two servers. */
export function relationsOfPlayers(sql: string): string[] {
  const form = /CREATE (?:TABLE|VIEW) \{schema\}\.(\w+)([^;]*);/g;
  return [...bare(sql).matchAll(form)].flatMap(([, name = '', text = '']) =>
    /\bplayer_id\b/.test(text) ? [name] : [],
  );
}

/** The uses of rows of players that do not name one player, such as `FROM rounds`. */
export function usesOfManyPlayers(
  { body }: SchemaFunction,
  relations: readonly string[],
): string[] {
  return queriesIn(body).flatMap((query) =>
    usesIn(query, relations)
      .filter(
        ({ verb, alias }) => !(verb === 'INSERT INTO' ? writesOne(query) : readsOne(query, alias)),
      )
      .map(({ verb, relation }) => `${verb} ${relation}`),
  );
}

/** The calls that pass a row of a table, such as `row_to_json(r)`. */
export function rowsPassed({ body }: SchemaFunction, relations: readonly string[]): string[] {
  const rows = new Set(usesIn(body, relations).map(({ alias }) => alias));
  return [...body.matchAll(/\b(\w+)\s*\(/g)].flatMap(({ 0: call, 1: name, index }) =>
    itemsOf(body.slice(index + call.length))
      .filter((item) => rows.has(item.replace(/\.\*$|::.*$/, '')))
      .map((item) => `${name}(${item})`),
  );
}

/** The tables into which a subquery among VALUES is inserted. */
export function subqueriesInValues({ body }: SchemaFunction): string[] {
  const form = /INSERT INTO \{schema\}\.(\w+)(?: AS \w+)?\s*(?:\([^)]*\)\s*)?VALUES([^;]*)/g;
  return [...body.matchAll(form)].flatMap(([, table = '', rows = '']) =>
    itemsOf(rows).some((row) => /^\([\s\S]*\bSELECT\b/.test(row)) ? [table] : [],
  );
}

/** Where a query reads or writes a table or view. */
interface Use {
  readonly verb: string;
  readonly relation: string;
  /** What the query calls the row. */
  readonly alias: string;
}

const use =
  /(\bINSERT INTO|\bUPDATE|\bFROM|\bJOIN|\bUSING|,)\s+\{schema\}\.(\w+)(?:\s+AS)?(?:\s+([a-z]\w*))?/g;

function usesIn(query: string, relations: readonly string[]): Use[] {
  return [...query.matchAll(use)].flatMap(([, verb = '', relation = '', alias = relation]) =>
    relations.includes(relation) ? [{ verb, relation, alias }] : [],
  );
}

/** Whether a condition binds the row to one player, to that of the function or of another row, whatever else holds. */
function readsOne(query: string, alias: string): boolean {
  const sure = withoutParentheses(query);
  if (/\b(?:WHERE|ON)\b[\s\S]*\bOR\b/.test(sure)) return false;
  const own = String.raw`(?:\b${alias}\.|[^.\w])player_id`;
  const one = String.raw`(?:of_player|OLD\.player_id|(?!${alias}\.)\w+\.player_id)`;
  return new RegExp(String.raw`${own} = ${one}\b`).test(sure);
}

function withoutParentheses(text: string): string {
  const less = text.replace(/\([^()]*\)/g, '');
  return less === text ? text : withoutParentheses(less);
}

/** Whether the value for player_id is the player of the function. */
function writesOne(query: string): boolean {
  const form = /INSERT INTO [^(]*\(([^)]*)\)\s*(?:VALUES\s*\(|SELECT\s)([\s\S]*)/;
  const [, columns = '', values = ''] = form.exec(query) ?? [];
  const value = itemsOf(values)[itemsOf(columns).indexOf('player_id')] ?? '';
  return /^of_player\b/.test(value);
}

/** The queries of a body, each without the queries inside it. */
function queriesIn(body: string): string[] {
  const [over, open]: [string[], string[]] = [[], ['']];
  const areQueries: boolean[] = []; // of each parenthesis that is open
  const parts = body.split(/([();]|\bUNION\b)/);
  for (const [at, part] of parts.entries()) {
    const isQuery =
      part === '(' && /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(parts[at + 1] ?? '');
    if (part === '(') areQueries.push(isQuery);
    const ends = part === ')' && areQueries.pop() === true;
    if (isQuery) open.push('');
    else if (ends) over.push(open.pop() ?? '');
    else if (part === ';' || part === 'UNION') over.push(open.splice(-1, 1, '')[0] ?? '');
    else open[open.length - 1] += part;
  }
  return [...over, ...open];
}

/** What stands between commas, up to the end or to a parenthesis that closes what is around. */
function itemsOf(list: string): string[] {
  const items = [''];
  let depth = 0;
  for (const part of list.split(/([(),[\]])/)) {
    if (part === ')' && depth === 0) break;
    if (part === '(' || part === '[') depth += 1;
    if (part === ')' || part === ']') depth -= 1;
    if (part === ',' && depth === 0) items.push('');
    else items[items.length - 1] += part;
  }
  return items.map((item) => item.trim());
}

/** SQL without its comments and what its texts hold. */
function bare(sql: string): string {
  return sql.replace(/--.*/g, '').replace(/'[^']*'/g, "''");
}
