import { systemRandom } from '../../platform';
import { isSignable } from '../../protocol/identifiers';
import type { CertificationOptions, CertifiedOperator } from '../../proof/certify';
import { wholeBelow } from '../../platform/random';
import { CommandFailure, needed } from '../terminal/failure';
import { checkSecret, secretVariable } from '../terminal/credentials';
import { parseJsonText, readTextFile } from '../terminal/read-json-file';
import type { CertifyFlags } from './flags';
import { createWalletCommands } from './wallet-commands';
import { defined } from '../../platform/validation/defined';

/** The options of a run, from the flags. @throws CommandFailure that names the flag, never a secret. */
export function optionsFrom(flags: CertifyFlags): CertificationOptions {
  const { otherSecretEnv, game, only, except, walletName, walletVersion, runBy } = flags;
  const currency = needed('currency', flags.currency);
  if (!/^[A-Z]{3}$/.test(currency))
    throw new CommandFailure('--currency must be three capital letters');
  const second = secondOperator(flags);
  const { histories, kills, seed = wholeBelow(systemRandom, 2 ** 31) } = flags;
  return {
    urls: urlsOf(flags),
    operator: {
      operatorId: operatorIdOf(flags),
      secret: secretOf(flags.secretEnv, '--secret-env'),
    },
    ...(otherSecretEnv === undefined
      ? {}
      : { otherSecret: secretOf(otherSecretEnv, '--other-secret-env') }),
    ...(second === null ? {} : { secondOperator: second }),
    playerIds: needed('player', flags.player),
    currency,
    ...defined({ gameCode: game, only }),
    ...createWalletCommands(flags),
    ...defined({ walletName, walletVersion, runBy }),
    ...(except === undefined ? {} : { exceptions: exceptionsFrom(except) }),
    profile: profileOf(flags.profile),
    long: { seed, histories, kills, load: loadOf(flags) },
    stake: stakeOf(flags),
    stakeBudget: BigInt(flags.stakeBudget),
    useBalance: flags.useBalance === true,
    timeLimitMs: flags.timeLimit * 1000,
    timeoutMs: flags.timeout,
  };
}

/** What of the options says which cases are played. */
export function choiceFrom(
  flags: CertifyFlags,
): Pick<CertificationOptions, 'only' | 'profile' | 'exceptions' | 'long'> {
  const { only, except } = flags;
  return {
    ...defined({ only }),
    ...(except === undefined ? {} : { exceptions: exceptionsFrom(except) }),
    profile: profileOf(flags.profile),
    long: { load: loadOf(flags) },
  };
}

function urlsOf({ url }: CertifyFlags): readonly string[] {
  const urls = needed('url', url);
  for (const one of urls) {
    const parsed = URL.canParse(one) ? new URL(one) : null;
    if (
      parsed === null ||
      !/^https?:$/.test(parsed.protocol) ||
      parsed.search !== '' ||
      parsed.hash !== ''
    ) {
      throw new CommandFailure('--url must be an http or https address without a query');
    }
    if (parsed.username !== '' || parsed.password !== '') {
      throw new CommandFailure(
        '--url must not hold a user name or a password: it stands in the report',
      );
    }
  }
  return urls;
}

function operatorIdOf({ operatorId }: CertifyFlags): string {
  const id = needed('operator-id', operatorId);
  if (!isSignable(id))
    throw new CommandFailure('--operator-id must be without # and control characters');
  return id;
}

function secondOperator(flags: CertifyFlags): CertifiedOperator | null {
  const { secondOperatorId: operatorId, secondSecretEnv: variable } = flags;
  if (operatorId === undefined && variable === undefined) return null;
  if (operatorId === undefined)
    throw new CommandFailure('--second-secret-env needs --second-operator-id');
  return { operatorId, secret: secretOf(variable, '--second-secret-env') };
}

function secretOf(variable: string | undefined, flag: string): string {
  const name = needed(flag.slice(2), variable);
  const secret = secretVariable(name);
  if (secret === undefined || secret === '') {
    throw new CommandFailure(
      `${flag} names a variable that is not set; it takes its name, never the secret`,
    );
  }
  checkSecret(secret, flag);
  return secret;
}

function profileOf(profile: string): 'specification' | 'full' {
  if (profile === 'specification' || profile === 'full') return profile;
  throw new CommandFailure('--profile must be specification or full');
}

function stakeOf({ stake }: CertifyFlags): bigint {
  if (stake % 2 === 0) return BigInt(stake);
  throw new CommandFailure('--stake must be even, so that half of it is a whole number too');
}

function loadOf({ load }: CertifyFlags): { rate: number; seconds: number } | null {
  if (load === undefined) return null;
  const [rate = 0, seconds = 0] = load.map(Number);
  const areRight = [rate, seconds].every(
    (one) => Number.isInteger(one) && one >= 1 && one <= 100_000,
  );
  if (load.length !== 2 || !areRight) {
    throw new CommandFailure('--load needs two whole numbers: rounds a second, and seconds');
  }
  return { rate, seconds };
}

function exceptionsFrom(file: string): ReadonlyMap<string, string> {
  const { value } = parseJsonText(readTextFile(file), file);
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const exceptions = new Map<string, string>();
  for (const [id, reason] of entries) {
    if (typeof reason === 'string' && reason.trim() !== '') exceptions.set(id, reason);
  }
  if (exceptions.size !== entries.length || Array.isArray(value) || entries.length === 0) {
    throw new CommandFailure('--except must hold JSON {"case-id": "reason"}, each with a reason');
  }
  return exceptions;
}
