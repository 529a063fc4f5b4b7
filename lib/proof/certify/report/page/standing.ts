import { badge, type Html, type HtmlPart, type Tone } from '../../../../platform/html';
import { type Standing, standingNames } from '../facts';

const tones: Readonly<Record<Standing, Tone>> = {
  passed: 'good',
  failed: 'bad',
  inconclusive: 'warn',
  untried: 'plain',
  excepted: 'note',
};

/** How a case stands, in a word. */
export function standingBadge(standing: Standing, text: HtmlPart = standingNames[standing]): Html {
  return badge(tones[standing], text);
}
