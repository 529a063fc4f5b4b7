import type { GameSettings } from '../../../protocol/engine-api';
import type { Grant, SessionEvent } from '../../sessions';
import {
  exactly,
  nullable,
  object,
  oneOf,
  settings,
  type Shape,
  text,
  union,
  whole,
} from './shape';
import { owner } from './transaction';

type Of<Type extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: Type }>;

const grant = object<Grant>({
  owner,
  kind: oneOf('player', 'janitor', 'history'),
  language: text,
  device: text,
  externalSessionId: nullable(text),
  profile: nullable(text),
  options: settings as Shape<GameSettings>,
});

/** Every event of the sessions (E5). */
export const sessionEvent: Shape<SessionEvent> = union<SessionEvent, 'type'>('type', {
  launchIssued: object<Of<'launchIssued'>>({
    type: exactly('launchIssued'),
    hash: text,
    lastFour: text,
    at: whole,
    grant,
  }),
  launchBurned: object<Of<'launchBurned'>>({ type: exactly('launchBurned'), hash: text }),
  sessionOpened: object<Of<'sessionOpened'>>({
    type: exactly('sessionOpened'),
    hash: text,
    lastFour: text,
    at: whole,
    grant,
  }),
  sessionUsed: object<Of<'sessionUsed'>>({ type: exactly('sessionUsed'), hash: text, at: whole }),
  sessionRevoked: object<Of<'sessionRevoked'>>({ type: exactly('sessionRevoked'), hash: text }),
});
