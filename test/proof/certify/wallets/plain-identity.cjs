'use strict';

// Under what rounds and transactions are known (D2.6, D3.1): byte for byte, each of its owner alone.

/** The key of a call's round, and of a transaction in a round. */
function createKeys(plant) {
  return {
    ofRound: ({ operator, playerId, gameCode, gameRound }) => {
      const owner = plant('rounds-shared-by-players') ? [operator] : [operator, playerId];
      const game = plant('round-by-game') ? [gameCode] : [];
      return keyOf(...owner, ...game, roundText(gameRound, plant));
    },
    ofTransaction: ({ owner, game, id }, { type, hash }) => {
      const known = plant('hash-known-of-other-players') ? [] : owner;
      const round = plant('hash-by-game') ? game : id;
      const parts = [...known, plant('hash-known-of-other-rounds') ? '' : round];
      if (plant('round-by-game')) parts.push(game);
      const text = hashText(hash, plant);
      if (!plant('hash-by-type')) return keyOf(...parts, text);
      return keyOf(...parts, text, type === 'debit' || type === 'void' ? '' : type);
    },
  };
}

function hashText(hash, plant) {
  if (plant('hash-case-folded')) return hash.toLowerCase();
  if (plant('hash-as-number') && /^\d+$/.test(hash)) return BigInt(hash).toString();
  if (plant('hash-trimmed')) return hash.trim();
  if (plant('hash-cut-at-32')) return hash.slice(0, 32);
  if (plant('hash-cut-at-64')) return hash.slice(0, 64);
  return plant('hash-normalised') ? hash.normalize('NFC') : hash;
}

function roundText(round, plant) {
  if (plant('round-case-folded')) return round.toLowerCase();
  if (plant('round-trimmed')) return round.trim();
  if (plant('round-cut-at-32')) return round.slice(0, 32);
  if (plant('round-cut-at-64')) return round.slice(0, 64);
  return plant('round-normalised') ? round.normalize('NFC') : round;
}

/** Parts as one text that keeps them apart. */
function keyOf(...parts) {
  return JSON.stringify(parts);
}

module.exports = { createKeys, keyOf };
