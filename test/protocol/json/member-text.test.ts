import { describe, expect, test } from '@jest/globals';

import { memberText } from '../../../lib/protocol/json/documents';
import { parseJson } from '../../../lib/protocol/json/parse';

describe('the text of a member is JSON again, without white space and with every number as it was written', () => {
  test.each([
    ['{"a": 10.50 }', '10.50'],
    ['{"a": [1e2, {"b" : -0.0}] }', '[1e2,{"b":-0.0}]'],
    ['{"a": {"b": "x\\ny", "c": null, "d": true} }', '{"b":"x\\ny","c":null,"d":true}'],
    ['{"a": 12345678901234567890}', '12345678901234567890'],
    ['{"a": {"\\"": [] , "e": {}}}', '{"\\"":[],"e":{}}'],
    ['{"a": "Gr\\u00fc\\u00dfe"}', '"Grüße"'],
  ])('%s', (text, expected) => {
    const document = parseJson(text);
    expect(memberText(document, document.value as object, 'a')).toBe(expected);
  });
});
