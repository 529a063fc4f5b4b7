import type { Html } from '../../../platform/html';
import type { OperationsSettings, Person, Right } from '../configuration';
import type { Here, PageBody } from '../page/layout';

/** A request of a person who may look. */
export interface PageRequest extends OperationsSettings {
  /** The query, or the form. */
  readonly fields: URLSearchParams;
  readonly person: Person;
}

/** The answer: a page and its `.json`, or a redirect. */
export type Answer =
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly here: Here | null;
      readonly json: unknown;
      readonly page: () => PageBody;
      readonly notice?: Html | null;
    }
  /** A relative link. */
  | { readonly kind: 'moved'; readonly to: string };

/** A page, or a form. */
export interface Route {
  readonly isPost: boolean;
  /** The rights of which it needs one besides `look`; none if absent. */
  readonly rights?: readonly Right[];
  readonly answer: (request: PageRequest) => Promise<Answer>;
}
