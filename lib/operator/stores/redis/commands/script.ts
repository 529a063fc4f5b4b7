import { createHash } from 'node:crypto';
import type { RedisArgument } from '../client/port';
import { packed } from './packed';

/**
 * The keys and arguments of a script by name, in the order in which they are sent; the header of its file describes
 * them. Names that end with `...` are last: lists of one length, whose items are sent in turn.
 */
interface Names {
  readonly keys?: readonly string[];
  readonly args?: readonly string[];
}

/**
 * A part is sent whole or not at all: the first argument has the initials of the parts that are sent. Only the last part may
 * have lists, and only where the script has none.
 */
export interface ScriptNames extends Names {
  readonly parts?: Readonly<Record<string, Names>>;
  /** Of a script without parts: sent whole after all else, lists too, or not at all. Then its first key is nil in Lua. */
  readonly extra?: Names;
}

type NameIn<
  N extends Names,
  Kind extends 'keys' | 'args',
> = N[Kind] extends readonly (infer Name extends string)[] ? Name : never;

type ByName<Name extends string, Value> = {
  readonly [N in Name as N extends `${infer List}...` ? List : N]: N extends `${string}...`
    ? readonly Value[]
    : Value;
};

type Given<N extends Names> = ByName<NameIn<N, 'keys'>, string> &
  ByName<NameIn<N, 'args'>, RedisArgument>;

/** What one run of a script is given; null for a part that is not sent. */
export type Call<N extends ScriptNames> = Given<N> &
  (N['parts'] extends Readonly<Record<string, Names>>
    ? { readonly [Part in keyof N['parts']]: Given<N['parts'][Part]> | null }
    : unknown) &
  (N['extra'] extends Names ? { readonly extra: Given<N['extra']> | null } : unknown);

/** A script that another one calls as a function. */
type Called = Pick<Script, 'name' | 'names' | 'body'>;

type Values = Readonly<Record<string, RedisArgument | readonly RedisArgument[]>>;

/** A script as the server knows it, by the digest of its source: so two releases share a server. */
export class Script<const N extends ScriptNames = ScriptNames> {
  readonly source: string;
  readonly sha: string;
  /** Its Lua without comments, with the places of its names. */
  readonly body: string;
  readonly #parts: readonly (readonly [part: string, names: Names])[];

  /**
   * @param acknowledges whether others rely on its answer, so that it must rest on what the replicas have.
   * @param used files that come before it, and scripts that it calls: `run_commit(KEYS, ARGV, parts)` is all of commit.lua.
   * @throws Error for a name in its file that is not listed.
   */
  constructor(
    readonly name: string,
    readonly names: N,
    readonly acknowledges: boolean,
    used: readonly (string | Called)[] = [],
  ) {
    this.#parts = Object.entries(names.parts ?? {});
    const called = used.filter((one) => typeof one !== 'string');
    const places = new Map([...placesOf(names), ...called.flatMap(argumentPlaces)]);
    const tables = ['KEYS', 'ARGV', ...called.map((one) => one.name)];
    const named = new RegExp(`\\b(?:${tables.join('|')})\\.\\w+`, 'g');
    const text = linesOf(name).replaceAll(named, (found) => {
      const place = places.get(found);
      if (place === undefined) throw new Error(`${found} of ${name}.lua is not listed`);
      return place;
    });
    const [shebang = ''] = text.split('\n', 1);
    this.body = listsInLua(names) + text.slice(shebang.length + 1);
    const before = used.map((one) =>
      typeof one === 'string'
        ? linesOf(one).replace(/^.*\n/, '')
        : `local function run_${one.name}(KEYS, ARGV, parts)\n${one.body}end\n`,
    );
    this.source = [`${shebang}\n`, ...before, partsInLua(names), this.body].join('');
    this.sha = createHash('sha1').update(this.source).digest('hex');
  }

  /** The arguments of EVAL. */
  evaluated(call: Call<N>): [source: string, ...sent: RedisArgument[]] {
    return [this.source, ...this.sent(call)];
  }

  /** What EVAL and EVALSHA take after the script: the number of keys, the keys, the arguments. */
  sent(call: Call<N>): RedisArgument[] {
    const { keys, args, extra } = this.names;
    const parts = call as Readonly<Record<string, Values | null>>;
    const sent: RedisArgument[] = [0];
    let letters = '';
    pushValues(sent, keys, call);
    for (const [part, names] of this.#parts) {
      const values = parts[part] ?? null;
      if (values === null) continue;
      letters += part.charAt(0);
      pushValues(sent, names.keys, values);
    }
    const more = extra === undefined ? null : (parts.extra ?? null);
    if (more !== null) pushValues(sent, extra?.keys, more);
    sent[0] = sent.length - 1;
    if (this.#parts.length > 0) sent.push(letters);
    pushValues(sent, args, call);
    for (const [part, names] of this.#parts) {
      const values = parts[part] ?? null;
      if (values !== null) pushValues(sent, names.args, values);
    }
    if (more !== null) pushValues(sent, extra?.args, more);
    return sent;
  }
}

function pushValues(sent: RedisArgument[], names: readonly string[] = [], values: Values): void {
  for (const name of names) {
    if (name.endsWith('...')) return pushInTurn(sent, names, values);
    sent.push(values[name] as RedisArgument);
  }
}

function pushInTurn(sent: RedisArgument[], names: readonly string[], values: Values): void {
  const lists = listNames(names).map((name) => values[name] as readonly RedisArgument[]);
  if (lists.length === 1) return void sent.push(...(lists[0] ?? []));
  for (const at of lists[0]?.keys() ?? []) {
    for (const list of lists) sent.push(list[at] as RedisArgument);
  }
}

function listNames(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith('...')).map((name) => name.slice(0, -3));
}

function singlesOf(names: readonly string[]): string[] {
  return names.filter((name) => !name.endsWith('...'));
}

/** What stands in a script for its names: `KEYS.round` for `KEYS[2]`. */
function placesOf({
  keys = [],
  args = [],
  parts,
  extra,
}: ScriptNames): (readonly [string, string])[] {
  return [
    ...placesIn('KEYS', keys, 1),
    ...placesIn('ARGV', args, parts === undefined ? 1 : 2),
    ...placesIn('KEYS', extra?.keys ?? [], keys.length + 1),
    ...(extra?.args ?? []).map((name, at, { length }) => {
      return [`ARGV.${name}`, `ARGV[#ARGV - ${length - 1 - at}]`] as const;
    }),
  ];
}

function placesIn(table: 'KEYS' | 'ARGV', names: readonly string[], first: number) {
  const isWhole = names.length === 1 && first === 1;
  return names.map((name, at) => {
    const list = name.slice(0, -3);
    if (!name.endsWith('...')) return [`${table}.${name}`, `${table}[${first + at}]`] as const;
    return [`${table}.${list}`, isWhole ? table : `${table}_${list}`] as const;
  });
}

/** The places of the arguments of a script that is called: `[commit.version]`. */
function argumentPlaces({ name, names }: Called): (readonly [string, string])[] {
  const first = names.parts === undefined ? 1 : 2;
  return (names.args ?? []).map((arg, at) => [`${name}.${arg}`, String(first + at)] as const);
}

/** The lists of a script, unless one is all there is. */
function listsInLua({ keys = [], args = [], extra }: ScriptNames): string {
  const less =
    extra === undefined ? '' : ` - (KEYS[${keys.length + 1}] and ${extra.args?.length ?? 0} or 0)`;
  return listsIn('KEYS', keys) + listsIn('ARGV', args, less);
}

function listsIn(table: 'KEYS' | 'ARGV', names: readonly string[], less = ''): string {
  const lists = listNames(names).map((list) => `${table}_${list}`);
  if (lists.length === 0 || names.length === 1) return '';
  const items = lists.map((list, at) => `${list}[#${list} + 1] = ${table}[at + ${at}]`);
  const first = 1 + names.length - lists.length;
  return [
    `local ${lists.join(', ')} = ${lists.map(() => '{}').join(', ')}\n`,
    `for at = ${first}, #${table}${less}, ${lists.length} do ${items.join('; ')} end\n`,
  ].join('');
}

/** The table `parts` of a script: of each part that is sent a table with its names, for any other nil. */
function partsInLua({ keys = [], args = [], parts }: ScriptNames): string {
  if (parts === undefined) return '';
  const lines = [
    'local parts = {}',
    `local key_at, arg_at, part_at, part = ${keys.length}, ${args.length + 1}, 1, string.byte(ARGV[1])`,
  ];
  for (const [part, { keys: own = [], args: more = [] }] of Object.entries(parts)) {
    const fields = [
      ...singlesOf(own).map((name, at) => `${name} = KEYS[key_at + ${at + 1}]`),
      ...singlesOf(more).map((name, at) => `${name} = ARGV[arg_at + ${at + 1}]`),
      ...listNames([...own, ...more]).map((list) => `${list} = {}`),
    ];
    lines.push(
      `if part == ${part.charCodeAt(0)} then`,
      `parts.${part} = { ${fields.join(', ')} }`,
      `key_at = key_at + ${singlesOf(own).length}`,
      `arg_at, part_at = arg_at + ${singlesOf(more).length}, part_at + 1`,
      ...partListsIn('KEYS', part, own),
      ...partListsIn('ARGV', part, more),
      'part = string.byte(ARGV[1], part_at)',
      'end',
    );
  }
  return `${lines.join('\n')}\n`;
}

function partListsIn(table: 'KEYS' | 'ARGV', part: string, names: readonly string[]): string[] {
  const lists = listNames(names).map((list) => `parts.${part}.${list}`);
  if (lists.length === 0) return [];
  const first = `${table === 'KEYS' ? 'key_at' : 'arg_at'} + 1`;
  const items = lists.map((list, at) => `${list}[#${list} + 1] = ${table}[at + ${at}]`);
  return [`for at = ${first}, #${table}, ${lists.length} do ${items.join('; ')} end`];
}

/** A script's file without its comments. */
function linesOf(name: string): string {
  const file = packed.get(`${name}.lua`);
  if (file === undefined) throw new Error(`${name}.lua is missing`);
  return file.replaceAll(/^--.*\n/gm, '');
}
