import { connect, type Socket } from 'node:net';
import { AbstractConnector, Redis } from 'ioredis';
import { Wire } from './wire';

/** Of a command that runs a script: up to its name and that of the script. */
function headOf(command: Buffer): Buffer {
  const sha = command.indexOf('$40\r\n');
  if (!command.includes('evalsha') || sha < 0) throw new Error('the last command ran no script');
  return command.subarray(0, sha + '$40\r\n'.length + 40);
}

/**
 * A Redis within this process: at first it hands all on to a real one; once {@link CannedRedis.can} is called, it gives the last
 * answer to every command of the same script. ioredis is as with a real one, the system calls are left out.
 */
export class CannedRedis {
  readonly client: Redis;
  private readonly real: Socket;
  private readonly wire = new Wire((commands) => this.receive(commands));
  private lastCommand: Buffer = Buffer.alloc(0);
  private lastAnswer: Buffer = Buffer.alloc(0);
  private canned: { readonly head: Buffer; readonly answer: Buffer } | null = null;
  /** Answers that leave after this turn of the event loop, as those of a server would. */
  private due = 0;
  /** Whether the real one still has to answer. */
  private isWaiting = false;
  /** What came after a command for the real one: the answers keep the order of the commands. */
  private held: Buffer[] = [];

  constructor(port: number) {
    this.real = connect(port, '127.0.0.1');
    this.real.on('data', (answer: Buffer) => this.handOn(answer));
    const { wire } = this;
    class Connector extends AbstractConnector {
      constructor() {
        super(0);
      }

      override async connect() {
        return (this.stream = wire);
      }
    }
    this.client = new Redis({ Connector });
  }

  /** From now on. @throws Error where the last command was not that of a call. */
  can(): void {
    this.canned = { head: headOf(this.lastCommand), answer: this.lastAnswer };
  }

  private receive(commands: readonly Buffer[]): void {
    for (const command of commands) {
      if (this.canned === null) this.ask(command);
      else this.held.push(command);
    }
    this.takeHeld();
  }

  private ask(command: Buffer): void {
    this.lastCommand = command;
    this.real.write(command);
  }

  private takeHeld(): void {
    while (this.held.length > 0 && !this.isWaiting) {
      const [command = Buffer.alloc(0)] = this.held;
      const head = this.canned?.head ?? command;
      if (command.subarray(0, head.length).equals(head)) {
        if (this.due++ === 0) setImmediate(() => this.answer());
      } else if (this.due > 0) {
        return;
      } else {
        this.isWaiting = true;
        this.ask(command);
      }
      this.held.shift();
    }
  }

  private handOn(answer: Buffer): void {
    this.lastAnswer = answer;
    this.wire.push(answer);
    this.isWaiting = false;
    this.takeHeld();
  }

  private answer(): void {
    const answers = Array.from({ length: this.due }, () => this.canned?.answer ?? Buffer.alloc(0));
    this.due = 0;
    this.wire.push(Buffer.concat(answers));
    this.takeHeld();
  }
}
