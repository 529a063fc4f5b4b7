import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import { freePort } from '../ports';
import { reapWithThisProcess, temporaryFolder } from '../reaper';
import { until } from '../until';
import { findFirefox } from './binary';

/** How pages are shown from now on. */
export interface FirefoxView {
  /** Of a page, in CSS pixels. */
  readonly width: number;
  readonly colours: 'light' | 'dark';
}

/** What a page is once it is loaded. */
export interface FirefoxPage {
  readonly title: string;
  readonly innerWidth: number;
  /** What is wider than the screen less its scrollbar, in pixels. */
  readonly beside: number;
  readonly isDark: boolean;
  readonly images: number;
  readonly scripts: number;
  readonly text: string;
}

/** Firefox without a window and with JavaScript off in pages, driven by its own protocol for that, Marionette. */
export class Firefox {
  private constructor(
    private readonly line: Line,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(): Promise<Firefox> {
    const binary = await findFirefox();
    const [folder, port] = [await temporaryFolder('firefox'), await freePort()];
    const prefs = {
      'marionette.port': port,
      'javascript.enabled': false,
      // Firefox would ask for an icon that no page names.
      'browser.chrome.site_icons': false,
    };
    const lines = Object.entries(prefs).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    );
    await writeFile(join(folder, 'user.js'), lines.join(''));
    const flags = ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote'];
    const child = spawn(binary, [...flags, '--profile', folder], { stdio: 'ignore' });
    reapWithThisProcess(child);
    const line = await until('Firefox answers', () => Line.open(port));
    await line.send('WebDriver:NewSession', {});
    return new Firefox(line, async () => {
      const ended = child.exitCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    });
  }

  async show({ width, colours }: FirefoxView): Promise<void> {
    const override = colours === 'dark' ? 0 : 1;
    // A window is never narrower than its tools: the page alone is.
    await this.run(
      'chrome',
      `
      Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', ${override});
      const { style } = gBrowser.selectedBrowser;
      for (const name of ['width', 'min-width', 'max-width']) style.setProperty(name, '${width}px');
    `,
    );
  }

  /** Opens a page, and says what it is. */
  async open(url: string): Promise<FirefoxPage> {
    await this.line.send('WebDriver:Navigate', { url });
    return (await this.run(
      'content',
      `
      const { title, documentElement, images, scripts, body } = document;
      const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
      const { scrollWidth, clientWidth } = documentElement;
      return { title, isDark, innerWidth, beside: scrollWidth - clientWidth,
        images: images.length, scripts: scripts.length, text: body.innerText };
    `,
    )) as FirefoxPage;
  }

  /** What pages did that their policy forbids, since it was asked before. */
  async refused(): Promise<string[]> {
    return (await this.run(
      'chrome',
      `
      const said = Services.console.getMessageArray().map((one) => one.message);
      Services.console.reset();
      return said.filter((one) => /Content-Security-Policy/.test(one));
    `,
    )) as string[];
  }

  async click(selector: string): Promise<void> {
    await this.line.send('WebDriver:ElementClick', { id: await this.find(selector) });
  }

  async text(selector: string): Promise<string> {
    const sent = { id: await this.find(selector) };
    const { value } = (await this.line.send('WebDriver:GetElementText', sent)) as { value: string };
    return value;
  }

  close(): Promise<void> {
    this.line.close();
    return this.end();
  }

  private async find(selector: string): Promise<string> {
    const sent = { using: 'css selector', value: selector };
    const found = await this.line.send('WebDriver:FindElement', sent);
    const [id = ''] = Object.values((found as { value: Record<string, string> }).value);
    return id;
  }

  /** Runs a script of ours, with the rights of Firefox: those of pages run none. */
  private async run(context: 'chrome' | 'content', script: string): Promise<unknown> {
    await this.line.send('Marionette:SetContext', { value: context });
    const sent = { script, args: [], sandbox: 'system' };
    const { value } = (await this.line.send('WebDriver:ExecuteScript', sent)) as { value: unknown };
    await this.line.send('Marionette:SetContext', { value: 'content' });
    return value;
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A connection of Marionette: each message is its length, a colon, and JSON. */
class Line {
  readonly #waiting = new Map<number, Waiting>();
  #sent = 0;
  #read = Buffer.alloc(0);

  private constructor(private readonly socket: Socket) {
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox ended'));
    });
    socket.on('error', () => {});
  }

  static async open(port: number): Promise<Line> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Line(socket);
  }

  send(name: string, params: object): Promise<unknown> {
    const id = ++this.#sent;
    const text = JSON.stringify([0, id, name, params]);
    this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  close(): void {
    this.socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#read = Buffer.concat([this.#read, bytes]);
    for (;;) {
      const colon = this.#read.indexOf(':');
      const end = colon + 1 + Number(this.#read.subarray(0, colon).toString());
      if (colon < 0 || this.#read.length < end) return;
      const message: unknown = JSON.parse(this.#read.subarray(colon + 1, end).toString());
      this.#read = this.#read.subarray(end);
      if (Array.isArray(message)) this.#answer(message);
    }
  }

  #answer([, id, error, result]: readonly unknown[]): void {
    const waiting = this.#waiting.get(Number(id));
    this.#waiting.delete(Number(id));
    if (error === null) waiting?.resolve(result);
    else waiting?.reject(new Error((error as { message: string }).message));
  }
}
