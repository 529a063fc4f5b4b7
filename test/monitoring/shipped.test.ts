import { describe, expect, test } from '@jest/globals';

import { unanchoredGauge } from '../../lib/cli/archive/metrics';
import { createMetrics, type MetricFamily } from '../../lib/operator/telemetry';
import type { WalletStore } from '../../lib/operator/wallet';
import { textOf } from '../tidy/source';
import { alertRules, dashboardExpressions } from './shipped';

/** What a wallet over a ledger with a sweeper shows. */
async function families(): Promise<readonly MetricFamily[]> {
  const metrics = createMetrics();
  const { recorder } = metrics;
  const day = { word: 'equal', reason: null, counting: 'UTC', endedAt: '2026-11-24T00:00:00.000Z' };
  const lists = { cells: [], kinds: {}, rounds: [], leftOut: 0, currenciesLeftOut: 0 };
  const text = JSON.stringify({ ...day, ...lists });
  const kept = { day: '2026-11-23', source: 'statistics', at: 0, text };
  const store = {
    lists: { attention: async function* () {} },
    events: { lag: async () => [{ consumer: 'bridge', waiting: 0, oldestAt: null }] },
    reconciliations: { list: async () => [kept] },
  } as unknown as WalletStore;
  recorder.watchWallet({ store, operatorIds: ['acme'], inFlight: () => 0 });
  recorder.watchBreaker(() => 'closed');
  recorder.listener.on({ kind: 'sweepDone', settled: 0, waiting: 0, failed: 0 });
  const read = await metrics.read();
  metrics.close();
  return [...read, await unanchoredGauge('acme', { unanchoredSeconds: 0 }).read()];
}

describe('the shipped alerts and dashboard', () => {
  const all = [...alertRules(), ...dashboardExpressions()];

  test('select only series that there are, by name, label and value', async () => {
    const samples = (await families()).flatMap((family) => family.samples);
    for (const { place, expr } of all) {
      const selectors = [...expr.matchAll(/\b((?:rgs_wallet|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
      expect(selectors.length).toBeGreaterThan(0);
      for (const [, name, matchers = ''] of selectors) {
        const wanted = [...matchers.matchAll(/(\w+)(=~|!=|=)"([^"]*)"/g)]
          .map(([, label = '', sign = '', value = '']) => ({ label, sign, value }))
          .filter(({ label }) => label !== 'job');
        const found = samples.filter((sample) => {
          if (sample.name !== name) return false;
          return wanted.every(({ label, sign, value }) => {
            const own = sample.labels[label];
            if (sign === '!=') return own !== undefined && own !== value;
            const pattern = sign === '=~' ? new RegExp(`^(?:${value})$`) : null;
            return pattern === null ? own === value : own !== undefined && pattern.test(own);
          });
        });
        expect([place, name, matchers, found.length > 0]).toEqual([place, name, matchers, true]);
      }
    }
  });

  test('each alert stands in docs/operations/alerts.md, and in the rule tests: where it fires and where it does not', () => {
    const page = textOf('docs/operations/alerts.md');
    const tests = textOf('docs/monitoring/alerts.test.yml');
    for (const { place } of alertRules()) {
      expect(page).toContain(`\`${place}\``);
      expect(tests).toMatch(new RegExp(`eval_time: \\d+m, alertname: ${place} \\}`));
      expect(tests).toMatch(new RegExp(`alertname: ${place}\\n\\s+exp_alerts:`));
    }
  });
});

test('docs/operations/monitoring.md has a row for each metric, with its labels', async () => {
  const page = textOf('docs/operations/monitoring.md');
  for (const { name, type, samples } of await families()) {
    const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
    labels.delete('le');
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
    expect([name, row]).toEqual([name, expect.stringContaining(`| ${type} |`)]);
    for (const label of labels)
      expect([name, row]).toEqual([name, expect.stringContaining(`\`${label}\``)]);
  }
});
