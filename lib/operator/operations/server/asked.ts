import type { Html } from '../../../platform/html';
import type { OperationsSettings, Person, Right } from '../configuration';
import type { Here, PageBody } from '../page';

/** A request of a person who may look. */
export interface Asked extends OperationsSettings {
  /** The query, or the form. */
  readonly fields: URLSearchParams;
  readonly person: Person;
}

/** What is answered: a page and its `.json`, or where to look instead. */
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
  /** The rights of which it needs one beside `look`; none if absent. */
  readonly rights?: readonly Right[];
  readonly answer: (asked: Asked) => Promise<Answer>;
}
