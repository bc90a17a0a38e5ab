import { secretAnswers } from '@/lib/wire/secret-questions';
import type { ClientHandlers } from './answering';

const FORM = 'elicitation/create';

/**
 * Returns the handlers, with one for forms that reports the values of fields for secrets before they are sent, so that
 * recordings do not hold them.
 */
export function reportingSecrets(
  handlers: ClientHandlers,
  onSecrets: (values: readonly string[]) => void,
): ClientHandlers {
  const answerForm = handlers.get(FORM);
  if (!answerForm) return handlers;
  return new Map(handlers).set(FORM, async (params, context) => {
    const result = await answerForm(params, context);
    const values = secretAnswers(params, result);
    if (values.length > 0) onSecrets(values);
    return result;
  });
}
