import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RedisArgument } from '../client/port';

/**
 * The keys and arguments of a script by name, in the order in which they are sent; the header of its file describes
 * them. Names that end with `...` are last: lists of one length, whose items are sent in turn.
 */
interface Names {
  readonly keys?: readonly string[];
  readonly args?: readonly string[];
}

/** A part is sent whole or not at all: the first argument has the initials of the parts that are sent. */
export interface ScriptNames extends Names {
  readonly parts?: Readonly<Record<string, Names>>;
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
    : unknown);

type Values = Readonly<Record<string, RedisArgument | readonly RedisArgument[]>>;

/** A script as the server knows it, by the digest of its source: so two releases share a server. */
export class Script<const N extends ScriptNames = ScriptNames> {
  readonly source: string;
  readonly sha: string;
  readonly #parts: readonly (readonly [part: string, names: Names])[];

  /**
   * @param acknowledges whether others rely on its answer, so that it must rest on what the replicas have.
   * @param used scripts that it calls as functions: `run_commit(keys, args)` is all of commit.lua.
   */
  constructor(
    readonly name: string,
    readonly names: N,
    readonly acknowledges: boolean,
    used: readonly string[] = [],
  ) {
    this.#parts = Object.entries(names.parts ?? {});
    const [shebang, ...lines] = linesOf(name);
    const functions = used.flatMap((other) => [
      `local function run_${other}(keys, args)`,
      ...linesOf(other).slice(1),
      'end',
    ]);
    this.source = [shebang, ...functions, ...namesInLua(names), ...lines].join('\n');
    this.sha = createHash('sha1').update(this.source).digest('hex');
  }

  /** The arguments of EVAL. */
  evaluated(call: Call<N>): [source: string, ...sent: RedisArgument[]] {
    return [this.source, ...this.sent(call)];
  }

  /** What EVAL and EVALSHA take after the script: the number of keys, the keys, the arguments. */
  sent(call: Call<N>): RedisArgument[] {
    const { keys, args } = this.names;
    const parts = call as Readonly<Record<string, Values | null>>;
    const sent: RedisArgument[] = [0];
    let letters = '';
    pushValues(sent, keys, call as Values);
    for (const [part, names] of this.#parts) {
      const values = parts[part] ?? null;
      if (values === null) continue;
      letters += part.charAt(0);
      pushValues(sent, names.keys, values);
    }
    sent[0] = sent.length - 1;
    if (this.#parts.length > 0) sent.push(letters);
    pushValues(sent, args, call as Values);
    for (const [part, names] of this.#parts) {
      const values = parts[part] ?? null;
      if (values !== null) pushValues(sent, names.args, values);
    }
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
  const lists = listsIn(names).map((name) => values[name] as readonly RedisArgument[]);
  for (const at of lists[0]?.keys() ?? []) {
    for (const list of lists) sent.push(list[at] as RedisArgument);
  }
}

function listsIn(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith('...')).map((name) => name.slice(0, -3));
}

/** The tables `keys` and `args` of a script, from what it is sent. */
function namesInLua({ keys = [], args = [], parts = {} }: ScriptNames): string[] {
  const hasParts = Object.keys(parts).length > 0;
  const lines = [...tableInLua('keys', keys, 0), ...tableInLua('args', args, hasParts ? 1 : 0)];
  if (!hasParts) return lines;
  lines.push(`local key_at, arg_at = ${keys.length}, ${args.length + 1}`);
  for (const [part, names] of Object.entries(parts)) {
    const own = [
      ...(names.keys ?? []).map((name, at) => [`keys.${name}`, `KEYS[key_at + ${at + 1}]`]),
      ...(names.args ?? []).map((name, at) => [`args.${name}`, `ARGV[arg_at + ${at + 1}]`]),
      ['key_at', `key_at + ${names.keys?.length ?? 0}`],
      ['arg_at', `arg_at + ${names.args?.length ?? 0}`],
    ];
    lines.push(
      `if string.find(ARGV[1], '${part.charAt(0)}', 1, true) then`,
      `${own.map(([name]) => name).join(', ')} = ${own.map(([, value]) => value).join(', ')}`,
      'end',
    );
  }
  return lines;
}

/** A table of names, for what comes after so many others. */
function tableInLua(table: 'keys' | 'args', names: readonly string[], after: number): string[] {
  const all = table === 'keys' ? 'KEYS' : 'ARGV';
  const lists = listsIn(names);
  const first = after + 1 + names.length - lists.length;
  const fields = names
    .filter((name) => !name.endsWith('...'))
    .map((name, at) => `${name} = ${all}[${after + 1 + at}]`);
  if (lists.length === 1 && first === 1) return [`local ${table} = { ${lists[0]} = ${all} }`];
  fields.push(...lists.map((list) => `${list} = {}`));
  const items = lists.map((list, at) => {
    return `${table}.${list}[#${table}.${list} + 1] = ${all}[at + ${at}]`;
  });
  const loop = `for at = ${first}, #${all}, ${lists.length} do ${items.join('; ')} end`;
  return [`local ${table} = { ${fields.join(', ')} }`, ...(lists.length === 0 ? [] : [loop])];
}

/** The lines of a script's file without its comments. */
function linesOf(name: string): string[] {
  const file = readFileSync(join(__dirname, `${name}.lua`), 'utf8');
  return file.split('\n').filter((line) => !line.startsWith('--'));
}
