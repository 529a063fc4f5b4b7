import { loadByNode } from '../load-by-node';
import { type Reply, ReplyError } from './reply';

/** A command of a script: its name and arguments. @throws ReplyError */
export type CallFromScript = (args: readonly string[]) => Reply;

/** The part of the module of wasmoon that is used: the C API itself, so that each string passes by its bytes. */
interface LuaApi {
  malloc(size: number): number;
  free(at: number): void;
  lua_gettop(state: number): number;
  lua_settop(state: number, top: number): void;
  lua_type(state: number, index: number): number;
  lua_tolstring(state: number, index: number, length: number): number;
  lua_toboolean(state: number, index: number): number;
  lua_tonumberx(state: number, index: number, isNumber: number): number;
  lua_pushlstring(state: number, text: number, length: number): number;
  lua_pushinteger(state: number, value: bigint): void;
  lua_pushboolean(state: number, value: number): void;
  lua_pushnil(state: number): void;
  lua_pushcclosure(state: number, work: number, values: number): void;
  lua_createtable(state: number, list: number, fields: number): void;
  lua_rawseti(state: number, index: number, at: bigint): void;
  lua_rawgeti(state: number, index: number, at: bigint): number;
  lua_rawlen(state: number, index: number): number;
  lua_setglobal(state: number, name: number): void;
  lua_getglobal(state: number, name: number): number;
  lua_pcallk(
    s: number,
    args: number,
    results: number,
    onError: number,
    ctx: number,
    k: number,
  ): number;
  addFunction(work: (state: number) => number, signature: string): number;
}

/** Its memory, which is another one once it has grown. */
interface LuaMemory {
  readonly HEAPU8: Uint8Array;
  readonly HEAP32: Int32Array;
}

/** The C functions by their names; the module has an underscore before each. */
function apiOf(module: object): LuaApi {
  const functions = Object.entries(module).filter(([, value]) => typeof value === 'function');
  return Object.fromEntries(
    functions.map(([name, value]) => [name.replace(/^_/, ''), value]),
  ) as unknown as LuaApi;
}

/** What Lua 5.1 in Redis has and Lua 5.4 has not; numbers reach a command as Redis writes them. */
const prelude = `
unpack = table.unpack
struct = {
  pack = function(format, ...)
    return string.pack((string.gsub(format, 's', 'z')), ...)
  end,
  unpack = function(format, text, at)
    return string.unpack((string.gsub(format, 's', 'z')), text, at)
  end,
}
redis = {
  call = function(...)
    local args = table.pack(...)
    for at = 1, args.n do
      if type(args[at]) == 'number' then args[at] = string.format('%.17g', args[at]) end
    end
    local is_done, reply = host_call(unpack(args, 1, args.n))
    if not is_done then error(reply, 0) end
    return reply
  end,
}
scripts = {}
function load_script(sha, source)
  local script, fault = load(source, '@user_script')
  if not script then error(fault, 0) end
  scripts[sha] = script
end
function run_script(sha, keys, args)
  KEYS, ARGV = keys, args
  return scripts[sha]()
end
`;

const nilType = 0;
const booleanType = 1;
const numberType = 3;
const stringType = 4;
const tableType = 5;

/** Lua 5.4 in WebAssembly. Its integers are exact far beyond 2^53, within which Redis' doubles are exact too. */
export class Interpreter {
  private buffer: number;
  private size = 1 << 16;
  private readonly length: number;
  private readonly names = new Map<string, number>();
  private call: CallFromScript = () => null;

  private constructor(
    private readonly api: LuaApi,
    private readonly memory: LuaMemory,
    private readonly state: number,
  ) {
    this.buffer = api.malloc(this.size);
    this.length = api.malloc(8);
    const work = api.addFunction((own) => this.called(own), 'ii');
    api.lua_pushcclosure(state, work, 0);
    api.lua_setglobal(state, this.nameOf('host_call'));
  }

  static async create(): Promise<Interpreter> {
    const { LuaFactory } = loadByNode('wasmoon') as typeof import('wasmoon');
    const { global } = await new LuaFactory().createEngine({ enableProxy: false });
    const { module } = global.lua;
    const interpreter = new Interpreter(apiOf(module), module, global.address);
    global.loadString(prelude);
    global.runSync();
    return interpreter;
  }

  /** Compiles a script, to run it by its name. @throws ReplyError */
  load(sha: string, source: string): void {
    this.invoke('load_script', [sha, source], 0);
  }

  /** Runs a script that was loaded. @throws ReplyError */
  run(sha: string, keys: readonly string[], args: readonly string[], call: CallFromScript): Reply {
    this.call = call;
    return this.invoke('run_script', [sha, keys, args], 1);
  }

  private invoke(name: string, args: readonly Reply[], results: number): Reply {
    const { api, state } = this;
    const top = api.lua_gettop(state);
    try {
      api.lua_getglobal(state, this.nameOf(name));
      for (const arg of args) this.push(state, arg);
      const fault = api.lua_pcallk(state, args.length, results, 0, 0, 0);
      if (fault !== 0) throw new ReplyError(String(this.read(state, -1)));
      return results === 0 ? null : this.read(state, -1);
    } finally {
      api.lua_settop(state, top);
    }
  }

  /** A command of a script; its state may be another one than that of the start. */
  private called(state: number): number {
    const { api } = this;
    const args = Array.from({ length: api.lua_gettop(state) }, (_, at) => {
      return String(this.read(state, at + 1) ?? '');
    });
    let reply: Reply;
    try {
      reply = this.call(args);
    } catch (error) {
      reply = error instanceof ReplyError ? error : new ReplyError(`ERR ${String(error)}`);
    }
    api.lua_pushboolean(state, reply instanceof ReplyError ? 0 : 1);
    this.push(state, reply instanceof ReplyError ? reply.message : reply);
    return 2;
  }

  /** A nil of Redis is false in Lua. */
  private push(state: number, value: Reply): void {
    const { api } = this;
    if (value === null) api.lua_pushboolean(state, 0);
    else if (typeof value === 'number') api.lua_pushinteger(state, BigInt(value));
    else if (typeof value === 'string') this.pushText(state, value);
    else if (value instanceof ReplyError) throw value;
    else {
      api.lua_createtable(state, value.length, 0);
      for (const [at, one] of value.entries()) {
        this.push(state, one);
        api.lua_rawseti(state, -2, BigInt(at + 1));
      }
    }
  }

  private pushText(state: number, text: string): void {
    const { api } = this;
    const most = 3 * text.length;
    if (most > this.size) {
      api.free(this.buffer);
      this.size = 2 * most;
      this.buffer = api.malloc(this.size);
    }
    const target = this.memory.HEAPU8.subarray(this.buffer, this.buffer + this.size);
    api.lua_pushlstring(state, this.buffer, encodeInto(text, target));
  }

  /** As Redis turns what a script returns into a reply: numbers are cut, false is nil, a list ends at its first nil. */
  private read(state: number, index: number): Reply {
    const { api } = this;
    switch (api.lua_type(state, index)) {
      case nilType:
        return null;
      case booleanType:
        return api.lua_toboolean(state, index) === 0 ? null : 1;
      case numberType:
        return Math.trunc(api.lua_tonumberx(state, index, 0));
      case stringType: {
        const at = api.lua_tolstring(state, index, this.length);
        const length = this.memory.HEAP32[this.length >> 2] ?? 0;
        return decode(this.memory.HEAPU8.subarray(at, at + length));
      }
      case tableType:
        return this.readList(state, index);
      default:
        throw new ReplyError('ERR a script returned what is no reply');
    }
  }

  private readList(state: number, index: number): Reply[] {
    const { api } = this;
    const list: Reply[] = [];
    const place = index < 0 ? api.lua_gettop(state) + index + 1 : index;
    for (let at = 1n; ; at++) {
      const type = api.lua_rawgeti(state, place, at);
      if (type !== nilType) list.push(this.read(state, -1));
      api.lua_settop(state, -2);
      if (type === nilType) return list;
    }
  }

  private nameOf(name: string): number {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    const bytes = encoder.encode(`${name}\0`);
    const at = this.api.malloc(bytes.length);
    this.memory.HEAPU8.set(bytes, at);
    this.names.set(name, at);
    return at;
  }
}

const encoder = new TextEncoder();
// As it is: a byte order mark is part of an id.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** Bytes as a text; of what is no UTF-8, such as packed numbers, each byte above 127 is a lone surrogate. */
function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return String.fromCharCode(...Array.from(bytes, (byte) => (byte < 128 ? byte : byte + 0xdc00)));
  }
}

/** Writes the bytes of such a text; returns how many. */
function encodeInto(text: string, target: Uint8Array): number {
  if (text.isWellFormed()) return encoder.encodeInto(text, target).written;
  for (let at = 0; at < text.length; at++) target[at] = text.charCodeAt(at) & 0xff;
  return text.length;
}
