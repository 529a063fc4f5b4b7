import { html } from '../../../platform/html';
import type { PageBody } from './layout';

/** Why a page cannot be shown. */
export function faultPage(title: string, message: string): PageBody {
  return { title, body: html`<p class="notice bad" role="alert">${message}</p>` };
}
