import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { Owner } from '../../lib/rgs/rounds/round';
import { type Grant, grantOf, isServedAfterEnd, isServedFor } from '../../lib/rgs/grants';
import { Sessions } from '../../lib/rgs/sessions';
import {
  defaultSessionTimes,
  type SessionEvent,
  tokenBytes,
  tokenOf,
} from '../../lib/rgs/session-tokens';

const minute = 60_000;
const hour = 60 * minute;
const ann: Owner = {
  gameProviderId: 'studio-1',
  operatorId: 'casino-1',
  playerId: 'ann',
  gameCode: 'game-bells',
  mode: 'REAL',
  currency: 'EUR',
  currencyMultiplier: '1',
};
const launchFacts = {
  language: 'de-ch',
  device: null,
  externalSessionId: 'visit-7',
  profile: 'calm',
  options: { turboEnabled: false },
};

function grant(over: Partial<Owner> = {}, kind: Grant['kind'] = 'player'): Grant {
  return grantOf({ owner: { ...ann, ...over }, kind }, launchFacts);
}

/** A token that is made of a number. */
function token(nth: number): string {
  const bytes = Buffer.alloc(tokenBytes);
  bytes.writeInt32BE(nth);
  return tokenOf(bytes);
}

/** Applies events, and keeps them as a journal would: as text. */
function journalled(sessions: Sessions): (events: readonly SessionEvent[] | null) => void {
  return (events) => {
    for (const event of events ?? []) {
      sessions.apply(JSON.parse(JSON.stringify(event)) as SessionEvent);
    }
  };
}

function openedAt0(over: Partial<Grant> = {}): Sessions {
  const sessions = new Sessions();
  journalled(sessions)(sessions.open(token(1), { ...grant(), ...over }, 0, false));
  return sessions;
}

describe('a token', () => {
  test('it is 32 random bytes in base64url (E5.1)', () => {
    expect(token(5)).toMatch(/^[\w-]{43}$/);
    expect(() => tokenOf(Buffer.alloc(31))).toThrow(TypeError);
  });

  test('no event and no snapshot has its text (E5.1)', () => {
    const sessions = new Sessions();
    const keep = journalled(sessions);
    const launch = sessions.launch(token(1), grant(), 0);
    keep(launch);
    const burned = sessions.burn(token(1), 1);
    const open = sessions.open(token(2), grant(), 1, false);
    keep(open);
    const texts = JSON.stringify([launch, burned, open, sessions.snapshot(), sessions.list(2)]);
    for (const one of [token(1), token(2)]) expect(texts).not.toContain(one);
  });

  test('it names language in upper case, and the device desktop unless the launch has one (E5.7)', () => {
    expect(grant()).toMatchObject({ language: 'DE-CH', device: 'desktop' });
    const named = grantOf({ owner: ann, kind: 'player' }, { ...launchFacts, device: 'mobile' });
    expect(named.device).toBe('mobile');
  });
});

describe('a launch token', () => {
  test.each([
    ['E5.1 within 120 s it gives what the launch named', 119_999, true],
    ['E5.2 after 120 s it gives nothing', 120_000, false],
  ])('%s', (_, at, isGiven) => {
    const sessions = new Sessions();
    journalled(sessions)(sessions.launch(token(1), grant(), 0));
    expect(sessions.burn(token(1), at)?.grant ?? null).toEqual(isGiven ? grant() : null);
  });

  test('it is burned at the first use; an unknown one never was good (E5.2)', () => {
    const sessions = new Sessions();
    const keep = journalled(sessions);
    keep(sessions.launch(token(1), grant(), 0));
    keep(sessions.burn(token(1), 1)?.events ?? null);
    expect(sessions.burn(token(1), 2)).toBeNull();
    expect(sessions.burn(token(2), 2)).toBeNull();
  });

  test('it is no session, and a session is no launch (E5.1, E5.3)', () => {
    const sessions = openedAt0();
    journalled(sessions)(sessions.launch(token(2), grant(), 0));
    expect(sessions.find(token(2), 1)).toBeNull();
    expect(sessions.burn(token(1), 1)).toBeNull();
  });
});

describe('a session', () => {
  test.each([
    ['E5.3 without a call it ends after 30 minutes', [], 30 * minute - 1, 'live'],
    ['E5.3 at 30 minutes it has ended', [], 30 * minute, 'ended'],
    ['E5.3 a call moves its end', [29 * minute], 58 * minute, 'live'],
    [
      'E5.3 every call does, also within a minute of the last one',
      [10, 50_000],
      30 * minute,
      'live',
    ],
    ['E5.4 it serves its open round for 10 minutes more', [], 40 * minute - 1, 'ended'],
    ['E5.4 then it is over', [], 40 * minute, null],
    ['E5.4 a call after its end moves nothing', [35 * minute], 40 * minute, null],
  ])('%s', (_, calls, at, state) => {
    const sessions = openedAt0();
    for (const call of calls) journalled(sessions)(sessions.used(token(1), call));
    expect(sessions.find(token(1), at)?.state ?? null).toBe(state);
  });

  test('it ends 24 hours after its start, however often it is used (E5.3)', () => {
    const sessions = openedAt0();
    for (let at = 0; at < 24 * hour; at += 20 * minute) sessions.used(token(1), at);
    expect(sessions.find(token(1), 24 * hour - 1)?.state).toBe('live');
    expect(sessions.find(token(1), 24 * hour)?.state).toBe('ended');
    expect(sessions.find(token(1), 24 * hour + 10 * minute)).toBeNull();
  });

  test('its use is an event at most once a minute, so that a call costs no write (E5.3, B4)', () => {
    const sessions = openedAt0();
    const events = [1_000, 59_999, 60_000, 60_001, 119_999, 120_000].map(
      (at) => sessions.used(token(1), at).length,
    );
    expect(events).toEqual([0, 0, 1, 0, 0, 1]);
  });

  test.each([
    ['E5.3 a newer connect of the same player, operator, game and mode ends it', grant(), false],
    ['E5.3 one of another player does not', grant({ playerId: 'bob' }), true],
    ['E5.3 nor one of another operator', grant({ operatorId: 'casino-2' }), true],
    ['E5.3 nor one of another game', grant({ gameCode: 'other' }), true],
    ['E5.3 nor one in another mode', grant({ mode: 'DEMO' }), true],
    ['E5.3 nor one that looks at the history', grant({}, 'history'), true],
  ])('%s', (_, newer, isKept) => {
    const sessions = openedAt0();
    journalled(sessions)(sessions.open(token(2), newer, 5, false));
    expect(sessions.find(token(1), 6) !== null).toBe(isKept);
    expect(sessions.find(token(2), 6)?.grant).toEqual(newer);
  });

  test('with multipleInstancesAllowed a newer connect ends nothing (E5.3)', () => {
    const sessions = openedAt0();
    journalled(sessions)(sessions.open(token(2), grant(), 5, true));
    expect(sessions.list(6).map(({ lastFour }) => lastFour)).toEqual([
      token(1).slice(-4),
      token(2).slice(-4),
    ]);
  });

  test('reconnect gives a new token and revokes the old one (E5.5)', () => {
    const sessions = openedAt0();
    journalled(sessions)(sessions.reconnect(token(1), token(2), 20 * minute)?.events ?? null);
    expect(sessions.find(token(1), 20 * minute)).toBeNull();
    expect(sessions.find(token(2), 49 * minute)).toMatchObject({ state: 'live', grant: grant() });
  });

  test('a session that ended is not reconnected, nor is an unknown one (E5.5)', () => {
    const sessions = openedAt0();
    expect(sessions.reconnect(token(1), token(2), 31 * minute)).toBeNull();
    expect(sessions.reconnect(token(9), token(2), 1)).toBeNull();
  });

  test('disconnect revokes it, also after its end; then it serves nothing (E5.4, E5.5)', () => {
    const sessions = openedAt0();
    journalled(sessions)(sessions.disconnect(token(1), 31 * minute));
    expect(sessions.find(token(1), 31 * minute)).toBeNull();
    expect(sessions.disconnect(token(1), 31 * minute)).toBeNull();
  });
});

describe("a janitor's token (E5.6)", () => {
  test('it revokes all tokens of the player, operator and game, of every mode and kind', () => {
    const sessions = openedAt0();
    const keep = journalled(sessions);
    keep(sessions.open(token(2), grant({ mode: 'DEMO' }), 0, false));
    keep(sessions.open(token(3), grant({}, 'history'), 0, false));
    keep(sessions.open(token(4), grant({ gameCode: 'other' }), 0, false));
    keep(sessions.launch(token(5), grant(), 0));
    keep(sessions.openJanitor(token(6), grant({}, 'janitor'), 1));
    const found = [1, 2, 3, 4, 6].map((nth) => sessions.find(token(nth), 2) !== null);
    expect(found).toEqual([false, false, false, true, true]);
    expect(sessions.burn(token(5), 2)).toBeNull();
  });

  test('each one issued revokes the one before', () => {
    const sessions = new Sessions();
    const keep = journalled(sessions);
    keep(sessions.openJanitor(token(1), grant({}, 'janitor'), 0));
    keep(sessions.openJanitor(token(2), grant({}, 'janitor'), 1));
    expect(sessions.find(token(1), 2)).toBeNull();
    expect(sessions.find(token(2), 2)?.grant.kind).toBe('janitor');
  });

  test('it is valid for an hour, called or not, and is never reconnected', () => {
    const sessions = new Sessions();
    journalled(sessions)(sessions.openJanitor(token(1), grant({}, 'janitor'), 0));
    expect(sessions.find(token(1), hour - 1)?.state).toBe('live');
    sessions.used(token(1), hour - 1);
    expect(sessions.find(token(1), hour)?.state).toBe('ended');
    expect(sessions.reconnect(token(1), token(2), 1)).toBeNull();
  });

  test('a newer connect of the player ends it: one party alone plays a round (E5.3)', () => {
    const sessions = new Sessions();
    journalled(sessions)(sessions.openJanitor(token(1), grant({}, 'janitor'), 0));
    journalled(sessions)(sessions.open(token(2), grant(), 1, false));
    expect(sessions.find(token(1), 2)).toBeNull();
  });
});

describe('what a token serves', () => {
  test.each([
    ['addWin', true],
    ['wagerWin', true],
    ['addSpinCounterGameState', true],
    ['endGameRound', true],
    ['voidGameRound', true],
    ['getGameRoundInfo', true],
    ['startGameRound', false],
    ['startGameOrAddBet', false],
    ['getBalance', false],
    ['setPlayerData', false],
    ['getRandomResult', false],
  ] as const)('E5.4 after its end by time, %s on the open round: %s', (call, isServed) => {
    expect(isServedAfterEnd(call)).toBe(isServed);
  });

  test.each([
    ['E5.6', 'janitor', 'startGameRound', false],
    ['E5.6', 'janitor', 'startGameOrAddBet', true],
    ['E5.6', 'janitor', 'endGameRound', true],
    ['E19.2', 'history', 'getGameRoundHistoryInfo', true],
    ['E19.2', 'history', 'getTokenData', true],
    ['E19.2', 'history', 'getLastGameRounds', true],
    ['E19.2', 'history', 'getBalance', false],
    ['E19.2', 'history', 'endGameRound', false],
    ['E5.8', 'player', 'startGameRound', true],
  ] as const)('%s a %s token, %s: %s', (_, kind, call, isServed) => {
    expect(isServedFor(kind, call)).toBe(isServed);
  });
});

describe('the journal (B4)', () => {
  const players = ['ann', 'bob'];
  const steps = fc.array(
    fc.record({
      what: fc.constantFrom('launch', 'burn', 'open', 'janitor', 'used', 'again', 'leave'),
      which: fc.nat(7),
      player: fc.constantFrom(...players),
      pause: fc.constantFrom(1, 50_000, 70_000, 5 * minute, 31 * minute),
    }),
    { maxLength: 40 },
  );

  test('its events, or a snapshot, give the same tokens as before, to the minute of their last use', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const sessions = new Sessions();
        const events: SessionEvent[] = [];
        let [at, nth] = [0, 0];
        for (const { what, which, player, pause } of history) {
          at += pause;
          const to = grant({ playerId: player });
          const made = step(sessions, what, token(nth - which), token(nth + 1), to, at);
          if (made.some(({ type }) => type === 'launchIssued' || type === 'sessionOpened')) nth++;
          for (const event of made) sessions.apply(event);
          events.push(...made);
        }
        const replayed = new Sessions();
        journalled(replayed)(events);
        const restored = new Sessions();
        journalled(restored)(sessions.snapshot());
        for (let one = 1; one <= nth; one++) {
          expect(restored.find(token(one), at)).toEqual(sessions.find(token(one), at));
          expect(restored.burn(token(one), at)).toEqual(sessions.burn(token(one), at));
          const early = sessions.find(token(one), at + minute);
          if (early?.state === 'live') expect(replayed.find(token(one), at)).toEqual(early);
          if (sessions.find(token(one), at) === null) {
            expect(replayed.find(token(one), at)).toBeNull();
          }
        }
      }),
    );
  });

  test('what is over leaves: the state does not grow with time', () => {
    const sessions = new Sessions();
    for (let nth = 0; nth < 2_000; nth++) {
      const at = nth * 30_000;
      const to = grant({ playerId: `player-${nth}` });
      journalled(sessions)(sessions.launch(token(2 * nth), to, at));
      journalled(sessions)(sessions.open(token(2 * nth + 1), to, at, false));
    }
    const { sessionIdleMs, afterEndMs } = defaultSessionTimes;
    const most = (sessionIdleMs + afterEndMs + minute) / 30_000 + (120_000 + minute) / 30_000 + 2;
    expect(sessions.snapshot().length).toBeLessThanOrEqual(most);
  });
});

/** What one step of a history makes. */
function step(sessions: Sessions, what: string, one: string, next: string, to: Grant, at: number) {
  if (what === 'launch') return sessions.launch(next, to, at);
  if (what === 'burn') return sessions.burn(one, at)?.events ?? [];
  if (what === 'open') return sessions.open(next, to, at, false);
  if (what === 'janitor') return sessions.openJanitor(next, { ...to, kind: 'janitor' }, at);
  if (what === 'used') return sessions.used(one, at);
  if (what === 'again') return sessions.reconnect(one, next, at)?.events ?? [];
  return sessions.disconnect(one, at) ?? [];
}
