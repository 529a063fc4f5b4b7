import type { Dice } from '../../../lib/proof/subject/dice';
import {
  alteredCall,
  alteredHeader,
  alteredQuestion,
  alteredSpelling,
  alteredUnsigned,
} from './altered';
import { changedBytes } from './bytes';
import { engineInput } from './engine';
import { forgedCall } from './forged';
import { goodCall } from './good';
import type { Input, Kind } from './input';
import type { Moment } from './moment';
import { signedNonsense } from './nonsense';
import { providerInput } from './provider';
import { oddBody, oddQuery, oddRequest } from './shapes';

/** How many of a hundred inputs are of a kind. */
const kindsByWeight: readonly { readonly kind: Kind; readonly weight: number }[] = [
  { kind: 'forged', weight: 30 },
  { kind: 'altered', weight: 25 },
  { kind: 'bytes', weight: 25 },
  { kind: 'nonsense', weight: 15 },
  { kind: 'good', weight: 5 },
];

type Maker = (dice: Dice, moment: Moment) => Input;

/** The wallet's makers of a kind. */
const makers: Readonly<Record<Kind, readonly { readonly make: Maker; readonly weight: number }[]>> =
  {
    forged: [{ make: forgedCall, weight: 1 }],
    altered: [
      { make: alteredCall, weight: 55 },
      { make: alteredUnsigned, weight: 25 },
      { make: alteredHeader, weight: 8 },
      { make: alteredQuestion, weight: 8 },
      { make: alteredSpelling, weight: 4 },
    ],
    bytes: [
      { make: changedBytes, weight: 70 },
      { make: oddBody, weight: 15 },
      { make: oddRequest, weight: 12 },
      { make: oddQuery, weight: 3 },
    ],
    nonsense: [{ make: signedNonsense, weight: 1 }],
    good: [{ make: goodCall, weight: 1 }],
  };

/** Of a hundred inputs, so many are for the Game Engine API, and so many for a provider. */
const shares = { engine: 10, provider: 5 };

/** The next input. The same dice and the same line make the same one. */
export function nextInput(dice: Dice, moment: Moment): Input {
  const { kind } = dice.weighed(kindsByWeight);
  const draw = dice.between(0, 99);
  if (draw < shares.engine) return engineInput(kind, dice, moment);
  if (draw < shares.engine + shares.provider) return providerInput(kind, dice, moment);
  return dice.weighed(makers[kind]).make(dice, moment);
}
