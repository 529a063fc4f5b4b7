import { parse } from 'yaml';

import { textOf } from '../tidy/source';

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

/** An expression of PromQL, and where it stands. */
export interface Expression {
  readonly place: string;
  readonly expr: string;
}

/** The alerting rules that the package ships. */
export function alertRules(): Expression[] {
  const { groups } = parse(textOf('docs/monitoring/alerts.yml')) as Rules;
  return groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ place: alert, expr })));
}

/** The expressions of the dashboard, with all jobs chosen. */
export function dashboardExpressions(): Expression[] {
  const { panels } = JSON.parse(textOf('docs/monitoring/dashboard.json')) as Dashboard;
  return panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ place: title, expr: expr.replaceAll('$job', '.+') })),
  );
}
