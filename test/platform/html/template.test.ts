import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { type Html, html } from '../../../lib/platform/html';
import { anyCharacter } from '../../support/any-character';

describe('the template of HTML', () => {
  test('a text is shown as text, whatever markup is in it', () => {
    expect(String(html`<p>${'<script>alert(1)</script>'}</p>`)).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    );
  });

  test('a text cannot leave the attribute it stands in', () => {
    expect(String(html`<a href="${'" onclick="x'}">`)).toBe('<a href="&quot; onclick=&quot;x">');
  });

  test('markup of the template itself, and lists of it, stay markup', () => {
    const rows = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(String(html`<ul>${rows}</ul>`)).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
  });

  test('numbers are written, and what is absent is nothing', () => {
    expect(String(html`${7}${12n}${null}${undefined}${[]}`)).toBe('712');
  });

  test('no text makes a character that begins markup or ends an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(String(html`${text}`)).not.toMatch(/[<>"'`]/);
      }),
    );
  });

  test('only the template makes markup: an object that looks like it is text', () => {
    const forged = { text: '<b>' } as unknown as Html;
    expect(String(html`${forged}`)).toBe('[object Object]');
  });
});
