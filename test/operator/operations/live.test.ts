import { expect, test } from '@jest/globals';

import { liveOf } from '../../../lib/operator/operations/page/live';

const now = Date.UTC(2026, 0, 1);
const seconds = now / 1000;

function live(query: string) {
  const { refresh, choice } = liveOf(new URLSearchParams(query), now);
  const text = String(choice);
  const [, here] = /aria-current="true">([^<]*)</.exec(text) ?? [];
  return { refresh, here, isOver: text.includes('ended after 30 minutes'), text };
}

test('a page is loaded again as often as its reader says, until half an hour is over', () => {
  expect(live('live=10')).toMatchObject({
    refresh: { after: 10, to: `?live=10&until=${seconds + 1800}` },
    here: '10 s',
    isOver: false,
  });
  expect(live(`live=60&until=${seconds + 1}`)).toMatchObject({
    refresh: { after: 60, to: `?live=60&until=${seconds + 1}` },
    here: '60 s',
    isOver: false,
  });
});

test('it ends then, and says so', () => {
  for (const until of [0, seconds - 1, seconds]) {
    expect(live(`live=10&until=${until}`)).toMatchObject({
      refresh: null,
      here: 'Refresh off',
      isOver: true,
    });
  }
});

test('no address makes it last longer than half an hour', () => {
  for (const until of ['99999999999', '-1', '1e3', 'x', '', '9'.repeat(400)]) {
    expect(live(`live=10&until=${until}`).refresh?.to).toBe(`?live=10&until=${seconds + 1800}`);
  }
});

test('any other pace is none', () => {
  for (const query of ['', 'live=', 'live=1', 'live=0', 'live=10x', 'until=5']) {
    expect(live(query)).toMatchObject({ refresh: null, here: 'Refresh off', isOver: false });
  }
});

test('the rest of the address is kept, whatever it is, and begins a new half hour when it is chosen', () => {
  const rest = new URLSearchParams({ after: `"><script>;url=//evil`, operator: 'ä b' });
  const { refresh, text } = live(`${rest.toString()}&live=10&until=${seconds + 5}`);
  const asked = new URLSearchParams(refresh?.to);
  expect(asked.get('after')).toBe(rest.get('after'));
  expect(asked.get('operator')).toBe('ä b');
  expect(refresh?.to).toMatch(/^\?[\w%=&.*+-]*$/);
  expect(text).not.toContain('<script');
  expect([...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    `?${rest.toString().replaceAll('&', '&amp;')}`,
    `?${rest.toString().replaceAll('&', '&amp;')}&amp;live=10`,
    `?${rest.toString().replaceAll('&', '&amp;')}&amp;live=60`,
  ]);
});
