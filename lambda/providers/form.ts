/** The fields of a form in the order they came. */
export const formFields = (text: string): readonly (readonly [string, string])[] => [...new URLSearchParams(text)];

/** A form as an object of texts; a field that comes more than once is the list of its values. */
export function formObject(text: string): Readonly<Record<string, string | readonly string[]>> {
  const form = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      const [only = ''] = values;
      return [name, values.length === 1 ? only : values];
    }),
  );
}

/** Whether a text begins as a JSON object or array does. No form does that: its brackets are encoded. */
export const looksLikeJson = (text: string): boolean => /^\s*[[{]/.test(text);
