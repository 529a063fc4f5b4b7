import events from '../../schemas/events/1.json';
import type { DocumentName } from '../../lib/platform/http/documents';
import type { JsonObject } from './components';
import { documentOf } from './document';
import { operations, sandbox, standalone } from './own-apis';
import { engine, operatorCalls, provider, wallet } from './protocol-apis';

/** Every document of the package, by name: an API by who calls whom. */
export function createDocuments(): Readonly<Record<DocumentName, JsonObject>> {
  return {
    'rgs-wallet': documentOf(wallet),
    'operator-rgs': documentOf(operatorCalls),
    'provider-rgs': documentOf(engine),
    'rgs-provider': documentOf(provider),
    operations: documentOf(operations),
    sandbox: documentOf(sandbox),
    events: standalone(events, 'https://rgs-wallet-kit/openapi/events-1.json'),
  };
}
