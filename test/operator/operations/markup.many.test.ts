import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { runs } from '../../support/runs';
import { hostile, open, operatorId, putRound, queryOf, storeWithAnn } from './fixture';
import { anyCharacter } from '../../support/any-character';

/** Ids as a caller may send them: 1 to 128 characters without # and control characters. */
const anyId = fc.oneof(
  fc.constantFrom(
    hostile,
    '"',
    "'",
    '&lt;',
    '</title><script>alert(1)</script>',
    '`',
    '\u202e',
    ' ',
  ),
  fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 40 })
    // oxlint-disable-next-line no-control-regex
    .filter((text) => text.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f#]/.test(text)),
);

/** Every tag of a page with the names of its attributes, in order; a long id has its whole text in a title. */
function tagsOf(page: string): string[] {
  return [...page.matchAll(/<[^>]*>/g)].map(([tag]) =>
    tag.replace(/"[^"]*"/g, '""').replace('<bdi title="">', '<bdi>'),
  );
}

/** What a browser shows for a text that was escaped. */
function unescaped(page: string): string {
  const characters: Readonly<Record<string, string>> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&#96;': '`',
    '&amp;': '&',
  };
  return page.replace(/&(?:lt|gt|quot|amp|#39|#96);/g, (one) => characters[one] ?? one);
}

/** An id in a list: as it is, or shortened with all of it in the title. */
function shown(id: string): RegExp {
  const text = id.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  return new RegExp(`<bdi>${text}</bdi>|<bdi title="${text}">`);
}

async function pagesWith(player: string, round: string): Promise<string[]> {
  const store = await storeWithAnn(player);
  await putRound(store, { playerId: player, gameRound: round }, 'stranded');
  const browser = open(store);
  const query = queryOf({ player, round });
  const targets = ['/', `/player?${query}`, `/round?${query}`];
  const replies = await Promise.all(targets.map((target) => browser.get(target)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  return replies.map(({ text }) => text);
}

describe('an id of whatever characters', () => {
  test('is text on every page: it adds no tag and no attribute', async () => {
    const plain = (await pagesWith('ann', 'r')).map(tagsOf);
    await fc.assert(
      fc.asyncProperty(anyId, anyId, async (player, round) => {
        const pages = await pagesWith(player, round);
        expect(pages.map(tagsOf)).toEqual(plain);
        const [start = '', ofPlayer = '', ofRound = ''] = pages.map(unescaped);
        expect(start).toMatch(shown(player));
        expect(start).toMatch(shown(round));
        expect(ofPlayer).toContain(`<h1>Player <bdi>${player}</bdi></h1>`);
        expect(ofRound).toContain(`<h1>Round <bdi>${round}</bdi></h1>`);
      }),
      { numRuns: runs(500) },
    );
  });

  test('is found again by the link that leads to it: it is in the query, never in the path', async () => {
    await fc.assert(
      fc.asyncProperty(anyId, anyId, async (player, round) => {
        const [start = ''] = await pagesWith(player, round);
        const links = [...start.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) =>
          unescaped(href),
        );
        const ofRound = links.find((href) => href.startsWith('round?')) ?? '';
        const query = new URLSearchParams(ofRound.slice('round?'.length));
        expect(Object.fromEntries(query)).toEqual({ operator: operatorId, player, round });
        for (const href of links)
          expect(href.split('?')[0]).toMatch(/^(?:|\.\/|#main|[a-z]+(?:\.json)?)$/);
      }),
      { numRuns: runs(200) },
    );
  });

  test('in the query is text too, whether or not it is an id', async () => {
    const browser = open(createMemoryStore());
    const [missing, wrong] = [
      await browser.get('/player?player=x'),
      await browser.get('/player?player=%23&operator=casino'),
    ];
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 60 }), async (text) => {
        const query = new URLSearchParams({ player: text, operator: operatorId, after: text });
        const { status, text: page } = await browser.get(`/player?${query.toString()}`);
        expect([missing.status, wrong.status]).toContain(status);
        const plain = status === wrong.status ? wrong : missing;
        expect(tagsOf(page)).toEqual(tagsOf(plain.text));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('every page', () => {
  test('has no script, loads nothing, and its policy allows its own style and forms alone', async () => {
    const store = await storeWithAnn();
    await putRound(store, { gameRound: 'r' }, 'stranded');
    const browser = open(store);
    const query = queryOf({ player: 'ann', round: 'r' });
    for (const target of ['/', '/search', `/player?${query}`, `/round?${query}`, '/player']) {
      const { headers, text } = await browser.get(target);
      expect(text).not.toMatch(/<(?:script|img|link|iframe|object|embed)|\son\w+=|\ssrc=/i);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });
});
