import { type Command, Argument } from 'commander';
import { type DocumentName, documentNames, readDocument } from '../platform/http/documents';

/** Adds `rgs-wallet openapi`. */
export function addOpenapi(program: Command): void {
  program
    .command('openapi')
    .summary('print an API as OpenAPI 3.1, or the schema of the events')
    .description(
      'Prints a document: an API by who calls whom, the operations page and the sandbox as JSON, or the JSON Schema of the events.',
    )
    .addArgument(new Argument('<name>', 'the document').choices(documentNames))
    .action((name: DocumentName) => void process.stdout.write(readDocument(name)));
}
