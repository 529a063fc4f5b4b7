import { createHash } from 'node:crypto';
import { runCommand } from './commands';
import { Interpreter } from './interpreter';
import { Keyspace } from './keyspace';
import { type Reply, ReplyError } from './reply';

/** What a safe server says of its settings. */
const settings: Readonly<Record<string, string>> = {
  'maxmemory-policy': 'noeviction',
  appendonly: 'yes',
  appendfsync: 'always',
  'no-appendfsync-on-rewrite': 'no',
};

let interpreters: Promise<Interpreter> | null = null;
/** Compiled once a process, whichever server was sent them. */
const compiled = new Set<string>();

/** Whether a script may write, by the flags of its first line. */
interface KnownScript {
  readonly mayWrite: boolean;
}

/**
 * A model of one Redis 7 in this process: the commands that the store and its scripts use, and the scripts
 * themselves, unchanged, in Lua. Every command is one moment. Time is the clock it was given.
 */
export class RedisModel {
  readonly keys: Keyspace;
  private readonly scripts = new Map<string, KnownScript>();

  private constructor(
    private readonly interpreter: Interpreter,
    now: () => number,
  ) {
    this.keys = new Keyspace(now);
  }

  static async create(now: () => number): Promise<RedisModel> {
    interpreters ??= Interpreter.create();
    return new RedisModel(await interpreters, now);
  }

  /** Runs a command. @throws ReplyError */
  run(command: string, args: readonly string[]): Reply {
    const name = command.toLowerCase();
    switch (name) {
      case 'eval':
        return this.evaluate(this.learn(args[0] ?? ''), args.slice(1));
      case 'evalsha':
        return this.evaluate(args[0] ?? '', args.slice(1));
      case 'info':
        return 'redis_version:7.0.15\r\nrole:master\r\nconnected_slaves:0\r\n';
      case 'config':
        return [args[1] ?? '', settings[args[1] ?? ''] ?? ''];
      case 'scan':
        return ['0', this.keys.names.filter(matcher(args[2] ?? '*'))];
      case 'wait':
        return 0;
      default:
        return runCommand(this.keys, name, args);
    }
  }

  /** Forgets the scripts, as SCRIPT FLUSH and a restart do. */
  forgetScripts(): void {
    this.scripts.clear();
  }

  private learn(source: string): string {
    const sha = createHash('sha1').update(source).digest('hex');
    if (this.scripts.has(sha)) return sha;
    const [shebang = '', ...lines] = source.split('\n');
    if (!shebang.startsWith('#!lua')) throw new Error('the model runs scripts with #!lua alone');
    if (!compiled.has(sha)) this.interpreter.load(sha, lines.join('\n'));
    compiled.add(sha);
    this.scripts.set(sha, { mayWrite: !/\bno-writes\b/.test(shebang) });
    return sha;
  }

  private evaluate(sha: string, [count = '0', ...rest]: readonly string[]): Reply {
    const script = this.scripts.get(sha);
    if (script === undefined) {
      throw new ReplyError('NOSCRIPT No matching script. Please use EVAL.');
    }
    const keys = rest.slice(0, Number(count));
    return this.interpreter.run(sha, keys, rest.slice(keys.length), ([command = '', ...args]) =>
      runCommand(this.keys, command, args, script.mayWrite),
    );
  }
}

/** A pattern of SCAN with `*`, `\` and `[...]`. */
function matcher(pattern: string): (name: string) => boolean {
  const source = pattern.replaceAll(/\\?[\s\S]/g, (part) => {
    if (part === '*') return '[\\s\\S]*';
    if (part === '[' || part === ']') return part;
    const plain = part.length === 2 ? part.slice(1) : part;
    return plain.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  const expression = new RegExp(`^${source}$`);
  return (name) => expression.test(name);
}
