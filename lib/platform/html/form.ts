import { type Html, html } from './template';

/** Fields that are sent and not shown. */
export function hidden(fields: Readonly<Record<string, string | number>>): Html {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`${inputs}`;
}

/**
 * A field of text with its label.
 * @param attributes Further ones, such as html`required maxlength="256"`.
 */
export function field(label: string, name: string, attributes: Html | null = null): Html {
  return html`<label>${label}<input name="${name}" ${attributes}></label>`;
}

/** A choice with its label; where it `isRequired`, the first option chooses nothing. */
export function select(
  label: string,
  name: string,
  options: readonly (readonly [value: string, text: string])[],
  selected: string | null = null,
  isRequired = false,
): Html {
  const choices = options.map(([value, text]) =>
    value === selected
      ? html`<option value="${value}" selected>${text}</option>`
      : html`<option value="${value}">${text}</option>`,
  );
  return html`<label>${label}<select name="${name}"${isRequired ? html` required` : null}>${choices}</select></label>`;
}
