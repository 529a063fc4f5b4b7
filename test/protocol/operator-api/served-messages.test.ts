import { expect, test } from '@jest/globals';

import { readGameList, readPackage, readStatistics } from '../../../lib/operator/client/read-reply';
import { parseJson } from '../../../lib/protocol/json/parse';
import {
  writeFreePlays,
  writeGameList,
  writeLaunchReply,
  writeStatistics,
} from '../../../lib/protocol/operator-api/served-messages';

function read(text: string): ReturnType<typeof readPackage> {
  return readPackage(parseJson(text), 's');
}

test('the operator reads the package of free plays that the service wrote (operator-api 2.5)', () => {
  const granted = { serial: 's', internalid: 'i', count: 5, used: 2 };
  const expires = Date.UTC(2026, 2, 1, 12);
  expect(read(writeFreePlays({ ...granted, expires }))).toMatchObject({
    ...granted,
    expires: '2026-03-01T12:00:00.000Z',
  });
  expect(read(writeFreePlays({ ...granted, expires: null })).expires).toBeNull();
});

test('the operator reads the statistics that the service wrote: amounts are texts in units (E24.3)', () => {
  const row = {
    DAY: '2026-03-01',
    currency: 'EUR',
    game: 'game-bells',
    playerId: null,
    games: 3,
    player: 1,
    bet: 9007199254740993n,
    win: 0n,
    betInEuro: 300n,
    winInEuro: null,
    RTP: '91.60',
  };
  const { records } = readStatistics(parseJson(writeStatistics([row, { ...row, DAY: null }])));
  expect(records).toHaveLength(2);
  expect(records[0]).toMatchObject({
    DAY: '2026-03-01',
    currency: 'EUR',
    games: 3,
    player: 1,
    bet: '9007199254740993',
    win: '0',
    betInEuro: '300',
    winInEuro: null,
    RTP: '91.60',
    further: { game: 'game-bells' },
  });
  expect(records[1]?.DAY).toBeNull();
});

test('the operator reads both lists of games', () => {
  const games = [{ gameCode: 'game-bells', name: 'Bells', studio: 'Studio' }];
  expect(readGameList(parseJson(writeGameList(games)))).toMatchObject({
    gameList: { 'game-bells': 'Bells' },
    extendedGameList: { 'game-bells': { name: 'Bells', studio: 'Studio' } },
  });
});

test('the reply to getGameURL is the url alone (E24.2)', () => {
  const url = 'https://game.example/?token=a&lang=en';
  expect(JSON.parse(writeLaunchReply({ url }))).toEqual({ url });
});
