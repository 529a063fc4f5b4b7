import {
  createFileJournal,
  type ProviderRound,
  type SandboxOptions,
} from '../../../lib/rgs/sandbox';
import { gameCode, gameProviderId, studioSecret } from './parties/studio';

/** What an RGS is started with, again and again. */
export interface KilledRgs {
  readonly origin: string;
  readonly journal: string;
  readonly operatorId: string;
  readonly secret: string;
  readonly wallet: string;
  readonly router: string;
}

/** The options of createSandbox: the journal is the file, the studio's book is asked for at its router. */
export function optionsOf(settings: KilledRgs): SandboxOptions {
  const { origin, journal, operatorId, secret, wallet, router } = settings;
  return {
    operators: [{ operatorId, secrets: [secret], wallet }],
    providers: [
      {
        gameProviderId,
        secrets: [studioSecret],
        router,
        games: [{ gameCode, name: 'Bells', launchUrl: 'https://game.example/' }],
        book: async () => {
          const reply = await fetch(`${router}/book`);
          return ((await reply.json()) as (ProviderRound & { stake: string; win: string })[]).map(
            (round) => ({ ...round, stake: BigInt(round.stake), win: BigInt(round.win) }),
          );
        },
      },
    ],
    url: origin,
    journal: () => createFileJournal({ path: journal }),
    walletTimeoutMs: 2000,
    service: { batching: 'mixed' },
  };
}
