'use strict';

// The rules of a gameround (D3 to D6), one call at a time, in memory.
const { adder, amountText, unitsOf } = require('./plain-amounts.cjs');
const { createKeys, keyOf } = require('./plain-identity.cjs');
const { createMemory } = require('./plain-memory.cjs');
const { ERRORS } = require('./plain-messages.cjs');

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
      if (plant('hash-as-object-key') && tx.hash in {}) {
        outcomes.push({ hash: tx.hash, type: tx.type, isKnown: true, error: null });
        continue;
      }
      const { error, write, isKnown } = rule(round, tx, work);
      yield;
      write();
      outcomes.push({ hash: tx.hash, type: tx.type, isKnown, error });
      if (tx.type === 'debit') {
        work.debit = tx.hash;
        if (plant('failure-forgotten-behind-a-known-debit') && error === null)
          work.isFailed = false;
        const isCounted = !isKnown || !plant('repeated-failure-not-counted');
        work.isFailed ||= error !== null && isCounted;
      }
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

  function rule(round, tx, work) {
    if (tx.type === 'void') return ruleVoid(round, tx, work.account);
    const key = keys.ofTransaction(round, tx);
    const known = records.get(key);
    if (known !== undefined && !isForgotten(known, tx))
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
        else if (tx.type === 'credit') refuseCredit(round, record, error, work);
      },
    };
  }

  function isForgotten(known, tx) {
    if (
      plant('debits-paid-again') &&
      tx.type === 'debit' &&
      known.error === null &&
      !known.isVoided
    )
      return true;
    if (plant('credits-paid-again') && tx.type === 'credit' && known.error === null) return true;
    if (plant('other-amount-paid') && known.amount !== tx.amount) return true;
    return plant('refusals-forgotten') && known.error === ERRORS.funds;
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
    if (round.isVoided) return ruling(plant('voided-repeat-answered-200') ? null : ERRORS.voided);
    if (known.isVoided && known.wasAccepted)
      return ruling(plant('voided-repeat-answered-200') ? null : ERRORS.voided);
    if (plant('initial-debit-paid-again') && known.isFirst && known.error === null)
      return ruling(null, () => move(work.account, -tx.amount));
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
    if (type === 'credit' && round.declined !== null && !isExcusedLater) return ERRORS.failedBefore;
    if (type === 'end') return plant('end-refused') ? ERRORS.parameter : null;
    return type === 'debit'
      ? againstDebit(record, work.account)
      : againstCredit(record, work.account);
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
    const funds = plant('bonus-covers-debits') ? account.real + account.bonus : account.real;
    return takenBy(record) > funds && !plant('overdraft') ? ERRORS.funds : null;
  }

  function isStrange({ currency }, account) {
    return currency !== account.currency && !plant('other-currency-accepted');
  }

  function againstCredit(record, account) {
    if (isStrange(record, account) && !plant('credit-currency-unchecked')) return ERRORS.currency;
    return account.real + record.amount > MOST * 10_000n ? ERRORS.credit : null;
  }

  function takenBy(record) {
    if (record.isFree && plant('free-play-takes-money')) return 100_0000n;
    return plant('discount-ignored') ? record.amount : record.amount - record.discount;
  }

  function accept(round, record, work) {
    if (round.isVoided || round.voids.has(record.hash)) return;
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
    pay(record, record.amount, work);
  }

  function clearDecline(round) {
    if (!plant('decline-never-cleared') && !plant('decline-not-cleared-by-void'))
      round.declined = null;
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

  function ruleVoid(round, tx, account) {
    const record = records.get(keys.ofTransaction(round, tx));
    const state = stateOf(round);
    if (state === 'closed' && plant('void-refused-on-closed')) return ruling(ERRORS.notActive);
    if (state === 'closed' && plant('void-without-effect-on-closed')) return ruling(null);
    if (state === 'voided' && plant('void-refused-on-voided')) return ruling(ERRORS.voided);
    if (tx.isInCapitals && plant('upper-case-void-without-effect')) return ruling(null);
    if (record === undefined) return ruleVoidOfUnknown(round, tx);
    if (record.type !== 'debit' && !plant('void-of-credit-accepted'))
      return ruling(round.voids.has(tx.hash) ? null : ERRORS.parameter);
    if (record.isVoided && plant('void-repeat-refused')) return ruling(ERRORS.voided);
    if (plant('void-below-zero-refused') && takenBack(round, record) > account.real)
      return ruling(ERRORS.funds);
    return ruling(null, () => {
      const isAgain = record.isVoided && record.wasAccepted;
      if (tx.isInCapitals && isAgain && plant('upper-case-void-pays-again'))
        move(account, record.amount);
      if (plant('void-pays-twice') && record.wasAccepted) move(account, tx.amount);
      if (plant('void-of-declined-pays') && !record.wasAccepted) move(account, record.amount);
      if (plant('void-pays-its-own-amount') && record.moved !== 0n) record.moved = -tx.amount;
      if (plant('void-without-effect')) return;
      writeVoid(round, record, account);
    });
  }

  /** A void may come before its debit (D5.5). */
  function ruleVoidOfUnknown(round, tx) {
    if (plant('void-of-unknown-refused')) return ruling(ERRORS.notStarted);
    return ruling(null, () => {
      if (plant('void-of-unknown-forgotten')) return;
      memory.keepVoid(round, tx.hash);
      if (round.first === null && tx.hash === round.id) round.isVoided = true;
    });
  }

  function writeVoid(round, record, account) {
    const isOfRound = round.first === null ? record.isFirst : record === round.first;
    record.isVoided = true;
    if (round.declined === record.hash) clearDecline(round);
    if (isOfRound || plant('follow-up-void-voids-round')) return voidRound(round, record, account);
    reverse(record, account);
    if (plant('follow-up-void-keeps-credits')) return undefined;
    for (const one of round.entries) {
      if (one.behind !== record.hash || one.type === 'debit' || one.error !== null) continue;
      reverse(one, account);
      one.error = ERRORS.failedBefore;
    }
    round.closers = round.closers.filter((closer) => closer.behind !== record.hash);
    return undefined;
  }

  function voidRound(round, record, account) {
    let credits = 0;
    for (const one of round.entries) {
      if (one.type === 'credit' && plant('void-keeps-credits')) continue;
      if (one.type === 'credit' && ++credits > 1 && plant('void-takes-one-credit')) continue;
      if (one.type === 'debit' && one !== record && plant('void-keeps-follow-ups')) continue;
      if (one.call !== record.call && plant('void-keeps-later-credits') && one.type === 'credit')
        continue;
      reverse(one, account);
    }
    round.isVoided = !plant('void-leaves-round-open');
  }

  /** What the void of this debit takes from the balance. */
  function takenBack(round, record) {
    const isOfRound = record === round.first;
    const isTaken = (one) => isOfRound || one === record || one.behind === record.hash;
    return round.entries.filter(isTaken).reduce((sum, { moved }) => sum + moved, 0n);
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

  function reverse(record, account) {
    if (account.real < record.moved && plant('reversal-needs-funds')) return;
    move(account, -record.moved);
    record.moved = 0n;
  }

  function balancesOf(account) {
    const currency = plant('balances-without-currency') ? undefined : account.currency;
    const entry = (type, units) => ({
      type,
      amount: {
        json: plant('float-money') && type === 'real' ? String(account.float) : amountText(units),
      },
      currency,
    });
    const real = plant('real-balance-missing')
      ? []
      : [entry(plant('balance-type-cash') ? 'cash' : 'real', account.real)];
    if (!account.hasBonus) return real;
    const bonus = entry('bonus', account.bonus);
    return plant('bonus-listed-first') ? [bonus, ...real] : [...real, bonus];
  }

  return { accountFor, balancesOf, process, restart: memory.restart };
}

/** A credit that is finally refused on an open round strands it, or crashes it after another was paid (D4.7). */
function refuseCredit(round, record, error, work) {
  if (stateOf(round) !== 'open' || (error === ERRORS.failedBefore && work.isFailed)) return;
  const hasPaid = round.entries.some(
    (one) => one.type === 'credit' && one.wasAccepted && one.error === null,
  );
  round.closers.push({ to: hasPaid ? 'crashed' : 'stranded', behind: record.behind });
}

function pay(record, units, work) {
  record.moved = units;
  move(work.account, units);
  work.moved.push(record);
}

function move(account, units) {
  account.real = account.add(account.real, units);
  account.float += Number(amountText(units));
}

/** What is answered for a transaction, and what it writes. */
function ruling(error, write = () => {}) {
  return { error, write };
}

/** A start balance in units. */
function startOf(amount) {
  return unitsOf({ text: String(amount) }, () => false);
}

function accountOf({ currency, real, bonus, discounts = [] }, add) {
  return {
    add,
    currency,
    real: startOf(real),
    float: Number(real),
    hasBonus: bonus !== undefined,
    bonus: startOf(bonus ?? 0),
    discounts,
  };
}

function isOffered(account, { amount, discount }) {
  return account.discounts.some(
    (one) =>
      amountText(amount) === String(one.stake) &&
      amountText(discount) === String(one.absoluteDiscountAmount),
  );
}

function stateOf(round) {
  if (round.isVoided) return 'voided';
  if (round.isDeclined) return 'closed';
  return round.first === null ? 'none' : (round.closers[0]?.to ?? 'open');
}

/** Whether a known transaction has the content of this one (D3.2). */
function hasContent(known, tx) {
  const isSame = ['type', 'amount', 'currency', 'serial'].every((name) => known[name] === tx[name]);
  return isSame && (tx.saysFirst === undefined || tx.saysFirst === known.isFirst);
}

module.exports = { createRules };
