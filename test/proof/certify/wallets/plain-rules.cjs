'use strict';

// The rules of a gameround (D3 to D6), one call at a time, in memory.
const { accountOf, isOffered, move, pay, showBalances } = require('./plain-accounts.cjs');
const { adder } = require('./plain-amounts.cjs');
const { createBlocks } = require('./plain-blocks.cjs');
const { createKeys, keyOf } = require('./plain-identity.cjs');
const { createMemory } = require('./plain-memory.cjs');
const { ERRORS } = require('./plain-messages.cjs');
const { createVoids, ruling, stateOf } = require('./plain-voids.cjs');

/** Refusals of a debit that are no decline by the wallet: they change no state (D4.5). */
const NO_DECLINE = ['started', 'notActive', 'notStarted', 'exists', 'voided', 'failedBefore'].map(
  (name) => ERRORS[name],
);
const MOST = 2n ** 53n - 1n;

function createRules({ players, plant, now }) {
  const accounts = new Map(
    players.map((player) => [keyOf(player.operator, player.id), accountOf(player, adder(plant))]),
  );
  const keys = createKeys(plant);
  const memory = createMemory({ plant, now });
  const { records, rounds } = memory;
  const { clearDecline, reverse, ruleVoid, voidRound } = createVoids({ plant, keys, memory });
  const blocks = createBlocks({ plant, accounts, rounds, voidRound });
  const balancesOf = (account) => showBalances(account, plant);

  function accountFor(operator, playerId) {
    const own = accounts.get(keyOf(operator, playerId));
    if (own !== undefined || !plant('other-operators-players')) return own;
    return [...accounts].find(([key]) => JSON.parse(key)[1] === playerId)?.[1];
  }

  function roundOf(call) {
    const key = keys.ofRound(call);
    if (!rounds.has(key)) {
      rounds.set(key, {
        key,
        id: call.gameRound,
        game: call.gameCode,
        owner: [call.operator, call.playerId],
        entries: [],
        voids: new Map(),
        closers: [],
        first: null,
        declined: null,
        isVoided: false,
        isDeclined: false,
      });
    }
    return rounds.get(key);
  }

  /** Processes a call in order. It yields between what it reads and what it writes; nothing else may run there. */
  function* process(call, account) {
    const round = roundOf(call);
    memory.age(round);
    const work = { isFailed: false, debit: null, account, moved: [], fresh: [], credits: 0 };
    const { closers, declined } = round;
    const before = balancesOf(account);
    const list = plant('processed-in-reverse') ? call.transactions.toReversed() : call.transactions;
    const outcomes = [];
    for (const tx of list) {
      const isRepeat = outcomes[0]?.isKnown === true && outcomes[0].type === 'credit';
      const isHeld = isRepeat && plant('call-known-by-its-first-credit');
      if (isHeld || (plant('hash-as-object-key') && tx.hash in {})) {
        outcomes.push({ hash: tx.hash, type: tx.type, isKnown: true, error: null });
        continue;
      }
      const { error, write, isKnown } = rule(round, tx, work);
      yield;
      write();
      outcomes.push({ hash: tx.hash, type: tx.type, isKnown, error });
      if (tx.type === 'debit') noteDebit(round, outcomes.at(-1), work);
      if (error !== null && plant('stops-at-first-failure')) break;
    }
    memory.settle(round, stateOf(round));
    if (plant('all-or-nothing') && outcomes.some(({ error }) => error !== null))
      work.moved.forEach((one) => reverse(one, account));
    if (plant('debits-fall-together') && work.isFailed && work.fresh.length > 0) {
      const hasDeclined = work.fresh.some(({ hash }) => hash === round.declined);
      for (const one of work.fresh) fall(round, one, outcomes, account);
      round.closers = closers;
      if (!hasDeclined) round.declined = declined;
    }
    return { outcomes, before, balances: balancesOf(account) };
  }

  /** What a debit means for what comes behind it in its call (D4.5). */
  function noteDebit(round, { hash, isKnown, error }, work) {
    work.debit = hash;
    if (error !== null) work.isFailed ||= !isKnown || !plant('repeated-failure-not-counted');
    else if (isKnown && plant('failure-forgotten-behind-a-known-debit')) {
      work.isFailed = false;
      round.declined = null;
    }
  }

  function rule(round, tx, work) {
    if (tx.type === 'void') return ruleVoid(round, tx, work);
    const key = keys.ofTransaction(round, tx);
    const known = records.get(key);
    if (known !== undefined && !isForgotten(known, tx, work))
      return { ...ruleKnown(round, known, tx, work), isKnown: true };
    const isFirst =
      tx.type === 'debit' &&
      (tx.saysFirst ?? (round.first === null && !plant('first-flag-demanded')));
    const record = {
      ...tx,
      key,
      call: work,
      isFirst,
      behind: work.debit,
      moved: 0n,
      wasAccepted: false,
      error: null,
      isVoided: false,
    };
    const error = reasonAgainst(round, record, work);
    return {
      error,
      write: () => {
        record.error = error;
        memory.keep(record, round);
        if (work.fresh.length > 0 || record.type === 'debit') work.fresh.push(record);
        if (error === null) accept(round, record, work);
        else if (tx.type === 'debit') declineDebit(round, record, error);
        else if (tx.type === 'credit') {
          if (plant('decline-cleared-by-refused-credit')) round.declined = null;
          else refuseCredit(round, record, error, work);
        }
      },
    };
  }

  function isForgotten(known, tx, work) {
    const { amount, error, isVoided } = known;
    const isAccepted = error === null;
    if (plant('debit-twice-in-call-taken') && tx.type === 'debit' && known.call === work)
      return true;
    if (plant('debits-paid-again') && tx.type === 'debit' && isAccepted && !isVoided) return true;
    if (plant('credits-paid-again') && tx.type === 'credit' && isAccepted) return true;
    if (plant('other-amount-paid') && amount !== tx.amount) return true;
    if (plant('other-timestamp-paid') && known.timestamp !== tx.timestamp) return true;
    if (error === ERRORS.refused) return plant('refusals-of-block-forgotten') && !isVoided;
    if (error !== ERRORS.funds) return false;
    // The void of a debit holds for a delivery that comes after it, too (operator-api 3, rule 2).
    return plant(isVoided ? 'voided-refusals-forgotten' : 'refusals-forgotten');
  }

  /** A hash that is known: nothing moves, and the recorded outcome is answered again (D3). */
  function ruleKnown(round, known, tx, work) {
    if (!hasContent(known, tx)) {
      if (plant('difference-moved') && known.type === tx.type)
        return ruling(null, () =>
          move(work.account, (tx.type === 'debit' ? -1n : 1n) * (tx.amount - known.amount)),
        );
      return ruling(plant('other-content-answered-200') ? null : ERRORS.exists);
    }
    if (plant('other-reason-refused') && known.reason !== tx.reason) return ruling(ERRORS.exists);
    if (round.isVoided) return ruling(plant('voided-repeat-answered-200') ? null : ERRORS.voided);
    if (known.isVoided && known.wasAccepted)
      return ruling(plant('voided-repeat-answered-200') ? null : ERRORS.voided);
    if (plant('initial-debit-paid-again') && known.isFirst && known.error === null)
      return ruling(null, () => move(work.account, -tx.amount));
    if (plant('initial-repeat-is-12') && known.isFirst && known.error === null)
      return ruling(ERRORS.started);
    if (known.type === 'debit' && work.account.isBlocked && plant('block-refuses-repeats'))
      return ruling(ERRORS.refused);
    if (plant('repeat-refused') && known.type !== 'end') return ruling(ERRORS.exists);
    if (plant('end-repeat-refused') && known.type === 'end') return ruling(ERRORS.notActive);
    return ruling(known.error);
  }

  /** Why a new debit, credit or end is not accepted, by the first case that fits (D4.10); null if it is. */
  function reasonAgainst(round, record, work) {
    const { type, isFirst } = record;
    const state = stateOf(round);
    if (type === 'debit' && round.voids.has(record.hash))
      return plant('late-debit-answered-200') ? null : ERRORS.voided;
    if (isBehindVoid(round, type, work)) return null;
    if (state === 'voided') return plant('voided-round-answered-200') ? null : ERRORS.voided;
    if (
      type === 'debit' &&
      isFirst &&
      round.first !== null &&
      !plant('second-initial-debit-accepted')
    )
      return plant('second-initial-debit-other-id') ? ERRORS.notActive : ERRORS.started;
    if (work.isFailed && !isExcused(type)) return ERRORS.failedBefore;
    if (state === 'none' && !isOpening(record)) return ERRORS.notStarted;
    if (state !== 'none' && state !== 'open' && !isAcceptedAfterEnd(type)) return ERRORS.notActive;
    const isExcusedLater = work.isFailed
      ? isExcused('credit')
      : plant('credit-after-failed-debit-paid-later');
    if (type === 'credit' && isDeclining(round) && !isExcusedLater) return ERRORS.failedBefore;
    if (type === 'end') return againstEnd(work.account);
    return type === 'debit'
      ? againstDebit(record, work.account)
      : againstCredit(record, work.account);
  }

  /** A credit that stands behind the void of its round, where that counts from the next call on. */
  function isBehindVoid(round, type, work) {
    return (
      plant('credit-after-void-in-call-paid') && type === 'credit' && round.first?.voidedBy === work
    );
  }

  function isDeclining(round) {
    const isOf = (one) => String(one.owner) === String(round.owner) && one.declined !== null;
    return plant('decline-of-every-round') ? [...rounds.values()].some(isOf) : isOf(round);
  }

  function isOpening({ type, isFirst }) {
    if (type === 'debit') return isFirst || plant('follow-up-opens-round');
    return plant(type === 'credit' ? 'credit-before-start-paid' : 'end-before-start-accepted');
  }

  function isExcused(type) {
    if (plant('failure-forgotten-in-the-call')) return true;
    if (type === 'end') return plant('end-after-failed-debit-accepted');
    if (type === 'credit') return plant('credit-after-failed-debit-paid');
    return plant('debit-after-failed-debit-taken');
  }

  function isAcceptedAfterEnd(type) {
    if (type === 'end') return !plant('second-end-refused');
    return plant(type === 'debit' ? 'debit-after-end-accepted' : 'credit-after-end-accepted');
  }

  function againstDebit(record, account) {
    const isFollowUp = !record.isFirst && plant('follow-up-currency-unchecked');
    if (isStrange(record, account) && !isFollowUp) return ERRORS.currency;
    if (record.discount > 0n && !plant('any-discount-taken') && !isOffered(account, record))
      return ERRORS.discount;
    const refusal = blocks.againstDebit(account, record);
    if (refusal !== null) return refusal;
    const funds = plant('bonus-covers-debits') ? account.real + account.bonus : account.real;
    return takenBy(record) > funds && !plant('overdraft') ? ERRORS.funds : null;
  }

  function isStrange({ currency }, account) {
    return currency !== account.currency && !plant('other-currency-accepted');
  }

  function againstEnd(account) {
    if (account.isBlocked && plant('block-refuses-ends')) return ERRORS.refused;
    return plant('end-refused') ? ERRORS.parameter : null;
  }

  function againstCredit(record, account) {
    if (account.isBlocked && plant('block-refuses-credits')) return ERRORS.refused;
    if (isStrange(record, account) && !plant('credit-currency-unchecked')) return ERRORS.currency;
    return account.real + record.amount > MOST * 10_000n ? ERRORS.credit : null;
  }

  function takenBy(record) {
    if (record.isFree && plant('free-play-takes-money')) return 100_0000n;
    return plant('discount-ignored') ? record.amount : record.amount - record.discount;
  }

  function accept(round, record, work) {
    if (round.isVoided && !isBehindVoid(round, record.type, work)) return;
    if (round.voids.has(record.hash)) {
      if (record.isFirst && round.first === null) round.isVoided = true;
      return;
    }
    record.wasAccepted = true;
    if (record.type === 'debit') {
      if (!plant('decline-never-cleared')) round.declined = null;
      if (round.first === null) {
        round.first = record;
        memory.begin(round);
      }
      pay(record, -takenBy(record), work);
    }
    if (record.type === 'credit') payCredit(record, work);
    if (record.type === 'end' && !plant('end-not-closing'))
      round.closers.push({ to: 'closed', behind: record.behind });
  }

  function payCredit(record, work) {
    work.credits += 1;
    if (work.credits === 21 && plant('twenty-first-credit-dropped')) return;
    if (work.account.isBlocked && plant('block-keeps-credits')) return;
    pay(record, record.amount, work);
  }

  function declineDebit(round, record, error) {
    if (error === ERRORS.voided) {
      clearDecline(round);
      if (round.first === null && (record.isFirst || record.hash === round.id))
        round.isVoided = true;
    }
    if (NO_DECLINE.includes(error) || (record.isFirst && error === ERRORS.discount)) return;
    if (record.isFirst && plant('failed-initial-debit-opens')) round.first = record;
    else if (record.isFirst || plant('failed-follow-up-closes')) round.isDeclined = true;
    round.declined = record.hash;
  }

  /** A new debit of a call in which one failed, or what came behind it. */
  function fall(round, record, outcomes, account) {
    if (record.error !== null) return;
    reverse(record, account);
    record.wasAccepted = false;
    record.error = ERRORS.failedBefore;
    outcomes.find(({ hash, error }) => hash === record.hash && error === null).error = record.error;
    if (round.first !== record) return;
    round.first = null;
    round.isDeclined = true;
  }

  function restart() {
    memory.restart();
    blocks.restart();
  }

  return { accountFor, balancesOf, process, restart, setBlocked: blocks.setBlocked };
}

/** A credit that is finally refused on an open round strands it, or crashes it after another was paid (D4.7). */
function refuseCredit(round, record, error, work) {
  if (stateOf(round) !== 'open' || (error === ERRORS.failedBefore && work.isFailed)) return;
  const hasPaid = round.entries.some(
    (one) => one.type === 'credit' && one.wasAccepted && one.error === null,
  );
  round.closers.push({ to: hasPaid ? 'crashed' : 'stranded', behind: record.behind });
}

/** Whether a known transaction has the content of this one (D3.2). */
function hasContent(known, tx) {
  const isSame = ['type', 'amount', 'currency', 'serial'].every((name) => known[name] === tx[name]);
  return isSame && (tx.saysFirst === undefined || tx.saysFirst === known.isFirst);
}

module.exports = { createRules };
