// For the contract suites: how the platform opens, funds and blocks players. Only tests use it.
import { setTimeout as pause } from 'node:timers/promises';
import type { ContractCash, ContractCashResult, ContractPlayers } from 'rgs-wallet-kit/testing';

export function createHttpPlayers(url: string): ContractPlayers {
  const move = async (path: string, order: ContractCash): Promise<ContractCashResult> => {
    const { reference: key, amount, balance = 'real', ...names } = order;
    const status = await ask(`${url}/${path}`, { ...names, key, [balance]: String(amount.units) });
    return { kind: status === 200 ? 'done' : 'refused' };
  };
  return {
    async openPlayer({ balances, ...names }) {
      const key = `open ${JSON.stringify(names)}`;
      const bonus = balances.bonus?.units.toString();
      const order = { ...names, key, real: String(balances.real.units), bonus };
      const status = await ask(`${url}/open`, order);
      if (status !== 200) throw new Error('the player has an account in this currency');
    },
    deposit: (order) => move('deposit', order),
    withdraw: (order) => move('withdraw', order),
    setBlocked: ({ operatorId, playerId }, blocked) =>
      ask(`${url}/block`, { operatorId, playerId, blocked }),
  };
}

/** Retries until there is an answer: these orders have keys too. */
async function ask(url: string, order: object): Promise<number> {
  const body = JSON.stringify(order);
  for (let attempts = 1; ; attempts += 1) {
    try {
      const { status } = await fetch(url, { method: 'POST', body });
      if (status === 200 || status === 409 || status === 422) return status;
      throw new Error(`the balance service answered ${status}`);
    } catch (error) {
      if (attempts === 200) throw error;
      await pause(25);
    }
  }
}
