// Holds every message that the kit's APIs exchange over HTTP in the tests, and every event, against the documents of openapi/. Loaded
// once a process, outside of what jest loads anew for each file.
const { appendFileSync, readFileSync } = require('node:fs');
const { IncomingMessage, OutgoingMessage, ServerResponse } = require('node:http');
const files = require('node:path');
const { Readable } = require('node:stream');

/** Which document a request belongs to; set by whoever serves it. */
const served = Symbol.for('rgs-wallet-kit.served');
const received = Symbol('received');
/** A body is kept up to here: what is longer is hostile. */
const mostBytes = 1024 * 1024;
const methods = { GET: 'get', HEAD: 'get', POST: 'post', DELETE: 'delete' };
const readJson = (name) =>
  JSON.parse(readFileSync(files.join(__dirname, '../../../openapi', `${name}.json`), 'utf8'));

class Messages {
  /** Messages and events that were held against the documents, by this process. */
  total = 0;
  #flushed = 0;
  #ajv = null;
  #documents = new Map();
  #validators = new Map();

  /** @param folder Where counts and faults are added up, over all processes of a run. */
  constructor(folder) {
    this.folder = folder;
  }

  /** Watches every server of this process. */
  watch() {
    IncomingMessage.prototype.push = keepAndPush;
    const answered = (response, text) => this.answered(response, text);
    ServerResponse.prototype.end = function end(chunk, ...rest) {
      if (!this.writableEnded && typeof chunk === 'string') answered(this, chunk);
      return OutgoingMessage.prototype.end.call(this, chunk, ...rest);
    };
    process.on('exit', () => this.flush());
  }

  /** Adds the number of validated messages to those of the run. */
  flush() {
    const count = this.total - this.#flushed;
    if (count > 0) appendFileSync(files.join(this.folder, 'counts'), `${count}\n`);
    this.#flushed = this.total;
  }

  /** An event as it was made. */
  event(event) {
    this.#check('events', '', event, () => `event ${JSON.stringify(event)}`);
  }

  /** A text that a server is about to end a response with. */
  answered(response, text) {
    const { req: request, statusCode: status } = response;
    const api = request?.[served] ?? ownApiOf(request);
    if (api === null || !isOurs(response)) return;
    const [path = '', query = ''] = (request.originalUrl ?? request.url ?? '').split('?');
    const what = (part) => () => `${api} ${part}: ${request.method} ${path} ${status} ${text}`;
    const operation = this.#operation(api, request.method, path);
    if (status !== 200) {
      const place = `${operation ?? '/x'}/responses/${status < 500 ? '4XX' : '5XX'}`;
      const failure = this.#document(api).failures.get(place) ?? generic(status);
      return this.#check(
        api,
        `${failure}/content/application~1json/schema`,
        parsed(text),
        what('reply'),
      );
    }
    if (operation === null) return this.#fault(what('call that is not described')());
    const reply = `${operation}/responses/200/content/application~1json/schema`;
    this.#check(api, reply, parsed(text), what('reply'));
    this.#request(api, operation, new URLSearchParams(query), request);
  }

  #request(api, operation, query, request) {
    const { parameters, bodies } = this.#document(api);
    for (const [place, name, isRequired] of parameters.get(operation) ?? []) {
      const value = query.get(name);
      if (value !== null)
        this.#check(api, `${place}/schema`, value, () => `${api} ${place}: ${value}`);
      else if (isRequired) this.#fault(`${api} ${place}: ${name} is missing`);
    }
    const place = bodies.get(operation);
    if (place === undefined) return;
    const body = Buffer.concat(request[received]?.chunks ?? []).toString('utf8');
    const value = parsed(body);
    // A member that is null counts as absent, which a schema cannot say (E4).
    const isAbsentNull = this.#fits(api, place, withoutNulls(value));
    if (isAbsentNull) this.total += 1;
    else this.#check(api, place, value, () => `${api} request ${place}: ${body}`);
  }

  /** The place of an operation in its document; null if it has none. */
  #operation(api, method, path) {
    const last = path.replace(/\/$/, '').split('/').at(-1)?.toLowerCase();
    return this.#document(api).operations.get(`${methods[method]} ${last}`) ?? null;
  }

  #check(api, place, value, what) {
    this.total += 1;
    if (this.total - this.#flushed >= 50) this.flush();
    if (this.#fits(api, place, value)) return;
    const [error = {}] = this.#validators.get(`${api}#${place}`).errors ?? [];
    this.#fault(`${what()}: ${error.instancePath} ${error.message}`);
  }

  #fits(api, place, value) {
    const key = `${api}#${place}`;
    let validate = this.#validators.get(key);
    if (validate === undefined) {
      this.#document(api);
      validate = this.#ajv.getSchema(`https://rgs-wallet-kit/openapi/${key}`);
      this.#validators.set(key, validate);
    }
    return validate(value);
  }

  #fault(text) {
    appendFileSync(
      files.join(this.folder, 'faults'),
      `${text.slice(0, 2000).replaceAll('\n', ' ')}\n`,
    );
  }

  #document(api) {
    const known = this.#documents.get(api);
    if (known !== undefined) return known;
    if (this.#ajv === null) {
      const { Ajv2020 } = require('ajv/dist/2020');
      this.#ajv = new Ajv2020({ strict: false, validateSchema: false });
    }
    const document = readJson(api);
    this.#ajv.addSchema({ ...document, $id: `https://rgs-wallet-kit/openapi/${api}` });
    const index = indexOf(document);
    this.#documents.set(api, index);
    return index;
  }
}

/** Keeps what a server receives, and does what a stream does with it. */
function keepAndPush(chunk, encoding) {
  // A reply that a client receives has no method.
  if (chunk !== null && this.method !== null) {
    const kept = (this[received] ??= { chunks: [], bytes: 0 });
    kept.bytes += chunk.length;
    if (kept.bytes <= mostBytes) kept.chunks.push(Buffer.from(chunk));
  }
  return Readable.prototype.push.call(this, chunk, encoding);
}

/** Places of a document by what is asked. */
function indexOf({ paths = {} }) {
  const [operations, parameters, bodies, failures] = [new Map(), new Map(), new Map(), new Map()];
  for (const [path, items] of Object.entries(paths)) {
    for (const [method, item] of Object.entries(items)) {
      const place = `/paths/${path.replaceAll('/', '~1')}/${method}`;
      operations.set(`${method} ${path.split('/').at(-1).toLowerCase()}`, place);
      const inQuery = (item.parameters ?? []).flatMap((one, at) =>
        one.in === 'query' ? [[`${place}/parameters/${at}`, one.name, one.required]] : [],
      );
      parameters.set(place, inQuery);
      const body = item.requestBody?.content['application/json'];
      if (body) bodies.set(place, `${place}/requestBody/content/application~1json/schema`);
      for (const [status, { content }] of Object.entries(item.responses)) {
        const own = `${place}/responses/${status}`;
        if (content !== undefined) failures.set(own, own);
      }
    }
  }
  return { operations, parameters, bodies, failures };
}

function generic(status) {
  return `/components/responses/${status < 500 ? 'Refused' : 'Failed'}`;
}

/** Whether an answer is one of the kit's JSON: an app may have sent another in its place. */
function isOurs({ _header: head }) {
  return ['content-type: application/json', 'cache-control: no-store'].every((line) =>
    head?.toLowerCase().includes(`\r\n${line}`),
  );
}

/** Of what is no endpoint of a protocol: the JSON of the operations page and of the sandbox. */
function ownApiOf(request) {
  const path = (request?.originalUrl ?? request?.url ?? '').split('?')[0];
  if (/^\/sandbox\/./.test(path)) return 'sandbox';
  return /\/(?:attention|open|pending|search|player|round|repairs|repair-log|changes|reconciliation)\.json$/.test(
    path,
  )
    ? 'operations'
    : null;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutNulls(value) {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Marks the requests that an endpoint of the protocol serves. */
function markEndpoint({ Endpoint }) {
  const { handle } = Endpoint.prototype;
  Endpoint.prototype.handle = function marked(request, ...rest) {
    request[served] = apiOf(this);
    return handle.call(this, request, ...rest);
  };
}

function apiOf({ constructor: { name }, api }) {
  if (name === 'ProviderEndpoint') return 'rgs-provider';
  if (name === 'ApiEndpoint') return api.rules.caller === 'E2.1' ? 'provider-rgs' : 'operator-rgs';
  return /^(?:DoTransactions|GetBalance)Endpoint$/.test(name) ? 'rgs-wallet' : null;
}

/** The functions of a module that make events, each event seen. */
function seeingEvents(module, see) {
  const names = Object.keys(module).filter((name) => /^create\w*(?:Event|Pointer)$/.test(name));
  const seeing = names.map((name) => [
    name,
    (...made) => {
      const event = module[name](...made);
      see(event);
      return event;
    },
  ]);
  return { ...module, ...Object.fromEntries(seeing) };
}

module.exports = { Messages, markEndpoint, seeingEvents };
