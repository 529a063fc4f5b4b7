import type { JsonDocument, JsonValue } from '../../lib/protocol';

/** A package of free plays as the RGS keeps it. */
export interface FreePlayPackage {
  readonly serial: string;
  readonly internalid: string;
  readonly playerId: string;
  readonly gameCode: string;
  readonly currency: string;
  /** As it stood in the request. */
  readonly stake: string;
  readonly count: number;
  readonly used: number;
  readonly expires: string;
}

const noEnd = '2099-12-31T00:00:00Z';

/** Packages of free plays by serial; a repeated serial changes nothing (operator-api 4.3). */
export class FreePlayBook {
  readonly #bySerial = new Map<string, FreePlayPackage>();
  #assignments = 0;

  /** How many packages there are. */
  get size(): number {
    return this.#bySerial.size;
  }

  /** How often one was asked for, repeats included. */
  get assignments(): number {
    return this.#assignments;
  }

  get(serial: string): FreePlayPackage | undefined {
    return this.#bySerial.get(serial);
  }

  /** The reply to a request (operator-api 2.5); null where the request is not valid. */
  assign(message: JsonDocument): string | null {
    const wanted = readPackage(message, this.size + 1);
    if (wanted === null) return null;
    this.#assignments += 1;
    const kept = this.#bySerial.get(wanted.serial) ?? wanted;
    this.#bySerial.set(kept.serial, kept);
    const { serial, internalid, count, used, expires } = kept;
    return JSON.stringify({ serial, internalid, count, used, expires });
  }
}

function readPackage({ value, lexeme }: JsonDocument, number: number): FreePlayPackage | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { playerId, gameCode, serial, currency, count, expires = noEnd } = value;
  const stake = lexeme(value, 'stake');
  if (![playerId, gameCode, serial, currency, expires].every(isText)) return null;
  if (typeof count !== 'number' || count < 1 || stake === undefined) return null;
  return {
    serial: String(serial),
    internalid: `package-${number}`,
    playerId: String(playerId),
    gameCode: String(gameCode),
    currency: String(currency),
    stake,
    count,
    used: 0,
    expires: String(expires),
  };
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '';
}
