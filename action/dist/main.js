
const os = process.getBuiltinModule("node:os");
const { EOL } = process.getBuiltinModule("node:os");
const crypto = new Proxy({}, { get: (_, name) => process.getBuiltinModule("node:crypto")[name] });
const fs = process.getBuiltinModule("node:fs");
const { constants, existsSync, promises, readFileSync } = process.getBuiltinModule("node:fs");

const { once } = process.getBuiltinModule("node:events");
const createGzip = (...given) => process.getBuiltinModule("node:zlib").createGzip(...given);
const gunzipSync = (...given) => process.getBuiltinModule("node:zlib").gunzipSync(...given);
const hash = (...given) => process.getBuiltinModule("node:crypto").hash(...given);
const randomUUID = (...given) => process.getBuiltinModule("node:crypto").randomUUID(...given);
const { readFile } = process.getBuiltinModule("node:fs/promises");
const { delimiter, dirname, isAbsolute, join, posix, relative, resolve, sep } = process.getBuiltinModule("node:path");
const execFile = (...given) => process.getBuiltinModule("node:child_process").execFile(...given);
const spawn = (...given) => process.getBuiltinModule("node:child_process").spawn(...given);
const { closeSync, constants: constants$1, copyFileSync, fstatSync, lstatSync, mkdirSync, mkdtempSync, openSync, readFileSync: readFileSync$1, readSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync, writeFileSync } = process.getBuiltinModule("node:fs");
const { tmpdir } = process.getBuiltinModule("node:os");
const { extname } = process.getBuiltinModule("node:path/posix");

// \0rolldown/runtime.js
var __defProp = Object.defineProperty;
var __esmMin = (fn, res, err) => () => {
	if (err) throw err[0];
	try {
		return fn && (res = fn(fn = 0)), res;
	} catch (e) {
		throw err = [e], e;
	}
};
var __exportAll = (all, no_symbols) => {
	let target = {};
	for (var name in all) {
		__defProp(target, name, {
			get: all[name],
			enumerable: true
		});
	}
	if (!no_symbols) {
		__defProp(target, Symbol.toStringTag, { value: "Module" });
	}
	return target;
};

// node_modules/@actions/core/lib/utils.js
function toCommandValue(input) {
	if (input === null || input === void 0) return "";
	else if (typeof input === "string" || input instanceof String) return input;
	return JSON.stringify(input);
}
function toCommandProperties(annotationProperties) {
	if (!Object.keys(annotationProperties).length) return {};
	return {
		title: annotationProperties.title,
		file: annotationProperties.file,
		line: annotationProperties.startLine,
		endLine: annotationProperties.endLine,
		col: annotationProperties.startColumn,
		endColumn: annotationProperties.endColumn
	};
}

// node_modules/@actions/core/lib/command.js
function issueCommand(command, properties, message) {
	const cmd = new Command(command, properties, message);
	process.stdout.write(cmd.toString() + os.EOL);
}
const CMD_STRING = "::";
var Command = class {
	constructor(command, properties, message) {
		if (!command) command = "missing.command";
		this.command = command;
		this.properties = properties;
		this.message = message;
	}
	toString() {
		let cmdStr = CMD_STRING + this.command;
		if (this.properties && Object.keys(this.properties).length > 0) {
			cmdStr += " ";
			let first = true;
			for (const key in this.properties) if (this.properties.hasOwnProperty(key)) {
				const val = this.properties[key];
				if (val) {
					if (first) first = false;
					else cmdStr += ",";
					cmdStr += `${key}=${escapeProperty(val)}`;
				}
			}
		}
		cmdStr += `${CMD_STRING}${escapeData(this.message)}`;
		return cmdStr;
	}
};
function escapeData(s) {
	return toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}
function escapeProperty(s) {
	return toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/:/g, "%3A").replace(/,/g, "%2C");
}

// node_modules/@actions/core/lib/file-command.js
function issueFileCommand(command, message) {
	const filePath = process.env[`GITHUB_${command}`];
	if (!filePath) throw new Error(`Unable to find environment variable for file command ${command}`);
	if (!fs.existsSync(filePath)) throw new Error(`Missing file at path: ${filePath}`);
	fs.appendFileSync(filePath, `${toCommandValue(message)}${os.EOL}`, { encoding: "utf8" });
}
function prepareKeyValueMessage(key, value) {
	const delimiter = `ghadelimiter_${crypto.randomUUID()}`;
	const convertedValue = toCommandValue(value);
	if (key.includes(delimiter)) throw new Error(`Unexpected input: name should not contain the delimiter "${delimiter}"`);
	if (convertedValue.includes(delimiter)) throw new Error(`Unexpected input: value should not contain the delimiter "${delimiter}"`);
	return `${key}<<${delimiter}${os.EOL}${convertedValue}${os.EOL}${delimiter}`;
}

// node_modules/@actions/core/lib/summary.js
var __awaiter$1 = void 0 && (void 0).__awaiter || function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
const { access, appendFile, writeFile } = promises;
const SUMMARY_ENV_VAR = "GITHUB_STEP_SUMMARY";
var Summary = class {
	constructor() {
		this._buffer = "";
	}
	filePath() {
		return __awaiter$1(this, void 0, void 0, function* () {
			if (this._filePath) return this._filePath;
			const pathFromEnv = process.env[SUMMARY_ENV_VAR];
			if (!pathFromEnv) throw new Error(`Unable to find environment variable for $${SUMMARY_ENV_VAR}. Check if your runtime environment supports job summaries.`);
			try {
				yield access(pathFromEnv, constants.R_OK | constants.W_OK);
			} catch (_a) {
				throw new Error(`Unable to access summary file: '${pathFromEnv}'. Check if the file has correct read/write permissions.`);
			}
			this._filePath = pathFromEnv;
			return this._filePath;
		});
	}
	wrap(tag, content, attrs = {}) {
		const htmlAttrs = Object.entries(attrs).map(([key, value]) => ` ${key}="${value}"`).join("");
		if (!content) return `<${tag}${htmlAttrs}>`;
		return `<${tag}${htmlAttrs}>${content}</${tag}>`;
	}
	write(options) {
		return __awaiter$1(this, void 0, void 0, function* () {
			const overwrite = !!(options === null || options === void 0 ? void 0 : options.overwrite);
			const filePath = yield this.filePath();
			yield (overwrite ? writeFile : appendFile)(filePath, this._buffer, { encoding: "utf8" });
			return this.emptyBuffer();
		});
	}
	clear() {
		return __awaiter$1(this, void 0, void 0, function* () {
			return this.emptyBuffer().write({ overwrite: true });
		});
	}
	stringify() {
		return this._buffer;
	}
	isEmptyBuffer() {
		return this._buffer.length === 0;
	}
	emptyBuffer() {
		this._buffer = "";
		return this;
	}
	addRaw(text, addEOL = false) {
		this._buffer += text;
		return addEOL ? this.addEOL() : this;
	}
	addEOL() {
		return this.addRaw(EOL);
	}
	addCodeBlock(code, lang) {
		const attrs = Object.assign({}, lang && { lang });
		const element = this.wrap("pre", this.wrap("code", code), attrs);
		return this.addRaw(element).addEOL();
	}
	addList(items, ordered = false) {
		const tag = ordered ? "ol" : "ul";
		const listItems = items.map((item) => this.wrap("li", item)).join("");
		const element = this.wrap(tag, listItems);
		return this.addRaw(element).addEOL();
	}
	addTable(rows) {
		const tableBody = rows.map((row) => {
			const cells = row.map((cell) => {
				if (typeof cell === "string") return this.wrap("td", cell);
				const { header, data, colspan, rowspan } = cell;
				const tag = header ? "th" : "td";
				const attrs = Object.assign(Object.assign({}, colspan && { colspan }), rowspan && { rowspan });
				return this.wrap(tag, data, attrs);
			}).join("");
			return this.wrap("tr", cells);
		}).join("");
		const element = this.wrap("table", tableBody);
		return this.addRaw(element).addEOL();
	}
	addDetails(label, content) {
		const element = this.wrap("details", this.wrap("summary", label) + content);
		return this.addRaw(element).addEOL();
	}
	addImage(src, alt, options) {
		const { width, height } = options || {};
		const attrs = Object.assign(Object.assign({}, width && { width }), height && { height });
		const element = this.wrap("img", null, Object.assign({
			src,
			alt
		}, attrs));
		return this.addRaw(element).addEOL();
	}
	addHeading(text, level) {
		const tag = `h${level}`;
		const allowedTag = [
			"h1",
			"h2",
			"h3",
			"h4",
			"h5",
			"h6"
		].includes(tag) ? tag : "h1";
		const element = this.wrap(allowedTag, text);
		return this.addRaw(element).addEOL();
	}
	addSeparator() {
		const element = this.wrap("hr", null);
		return this.addRaw(element).addEOL();
	}
	addBreak() {
		const element = this.wrap("br", null);
		return this.addRaw(element).addEOL();
	}
	addQuote(text, cite) {
		const attrs = Object.assign({}, cite && { cite });
		const element = this.wrap("blockquote", text, attrs);
		return this.addRaw(element).addEOL();
	}
	addLink(text, href) {
		const element = this.wrap("a", text, { href });
		return this.addRaw(element).addEOL();
	}
};
const _summary = new Summary();
const summary$1 = _summary;

// node_modules/@actions/core/lib/core.js
var __awaiter = void 0 && (void 0).__awaiter || function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
var ExitCode;
(function(ExitCode) {
	ExitCode[ExitCode["Success"] = 0] = "Success";
	ExitCode[ExitCode["Failure"] = 1] = "Failure";
})(ExitCode || (ExitCode = {}));
function setSecret(secret) {
	issueCommand("add-mask", {}, secret);
}
function getInput(name, options) {
	const val = process.env[`INPUT_${name.replace(/ /g, "_").toUpperCase()}`] || "";
	if (options && options.required && !val) throw new Error(`Input required and not supplied: ${name}`);
	if (options && options.trimWhitespace === false) return val;
	return val.trim();
}
function setOutput(name, value) {
	if (process.env["GITHUB_OUTPUT"] || "") return issueFileCommand("OUTPUT", prepareKeyValueMessage(name, value));
	process.stdout.write(os.EOL);
	issueCommand("set-output", { name }, toCommandValue(value));
}
function setFailed(message) {
	process.exitCode = ExitCode.Failure;
	error(message);
}
function error(message, properties = {}) {
	issueCommand("error", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
function warning(message, properties = {}) {
	issueCommand("warning", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
function notice(message, properties = {}) {
	issueCommand("notice", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
function info(message) {
	process.stdout.write(message + os.EOL);
}

// action/src/runner/failure.ts
var ActionFailure = class extends Error {
	name = "ActionFailure";
	code;
	ofToken;
	ofServer;
	constructor(code, message, options = {}) {
		super(message, options);
		this.code = code;
		this.ofToken = options.ofToken ?? false;
		this.ofServer = options.ofServer ?? false;
	}
};
function noSecret(cause) {
	return new ActionFailure("no-secret", forkWithoutSecret(cause.message), { cause });
}
function forkWithoutSecret(reason) {
	return `Coverage was not accepted, and the step does not fail for it: the run of a pull request from a fork, and one that Dependabot started, gets no secret. The server accepts such runs if the repo's setting accept_forks is on. Dependabot's pushes need the repo token among Dependabot's secrets. ${reason}`;
}

// action/src/api/trust-authorities.ts
async function withAuthorities(path, use) {
	try {
		const pem = await readFile(path, "utf8");
		if (!/-----BEGIN CERTIFICATE-----/.test(pem)) throw new Error("it holds no certificate");
		return use(pem);
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new ActionFailure("bad-input", `Input ca-file: expected a file of certificates (PEM), got ${path}: ${why}.`);
	}
}
async function trustAuthorities(path) {
	const tls = await import("node:tls");
	if (tls.setDefaultCACertificates === void 0) throw new ActionFailure("bad-input", "Input ca-file needs a runner with Node 24.5 or newer; update the runner, or set NODE_EXTRA_CA_CERTS on it.");
	await withAuthorities(path, (pem) => tls.setDefaultCACertificates([...tls.getCACertificates("default"), pem]));
}

// action/src/runner/words.ts
function counted(count, one, many = `${one}s`) {
	return `${count} ${count === 1 ? one : many}`;
}
function byteText(bytes) {
	if (bytes < 1e3) return `${bytes} bytes`;
	return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

// action/src/runner/annotate.ts
function annotationsOf({ patch, url }, room) {
	const files = patch?.files ?? [];
	const annotations = files.flatMap(({ name, uncovered: ranges }) => ranges.map(([first, last]) => ({
		file: name,
		startLine: first,
		endLine: last,
		message: uncovered(first, last)
	}))).slice(0, Math.max(0, room));
	const left = files.reduce((sum, { uncovered_ranges: count }) => sum + count, 0) - annotations.length;
	return left > 0 ? {
		annotations,
		rest: `GitHub shows 10 annotations of a step. ${counted(left, "more missed place")} in the change: ${url}`
	} : { annotations };
}
function uncovered(first, last) {
	return first === last ? `Line ${first} is changed and not covered.` : `Lines ${first} to ${last} are changed and not covered.`;
}

// action/src/runner/log.ts
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
function oneLine(text) {
	return text.replace(CONTROL_CHARACTERS, " ").replace(/^(\s*):(?=:)/, "$1: ").replaceAll("##[", "## [");
}

// action/src/api/encode-job.ts
const BEST_SPEED = 1;
function encodeJob(envelope, files, rest = () => ({})) {
	return compress(jobText(envelope, files, rest));
}
function unpackJob(body) {
	return JSON.parse(gunzipSync(body).toString());
}
async function compress(pieces) {
	const gzip = createGzip({ level: BEST_SPEED });
	const chunks = [];
	gzip.on("data", (chunk) => chunks.push(chunk));
	const ended = once(gzip, "end");
	for (const piece of pieces) if (!gzip.write(piece)) await once(gzip, "drain");
	gzip.end();
	await ended;
	return Buffer.concat(chunks);
}
function* jobText(envelope, files, rest = () => ({})) {
	yield `${JSON.stringify(envelope).slice(0, -1)},"source_files":[`;
	let separator = "";
	for (const file of files) {
		yield separator + JSON.stringify(file);
		separator = ",";
	}
	const last = JSON.stringify(rest()).slice(1);
	yield last === "}" ? "]}" : `],${last}`;
}

// action/src/api/network-trouble.ts
const TROUBLE_BY_CODE = {
	ECONNREFUSED: "connection refused, nothing listens there",
	ECONNRESET: "the connection was reset",
	ENOTFOUND: "there is no host of that name",
	EAI_AGAIN: "the name could not be looked up just now",
	ETIMEDOUT: "the connection timed out",
	EHOSTUNREACH: "no route to the host",
	ENETUNREACH: "no route to the network",
	EPIPE: "the connection was closed while sending",
	CERT_HAS_EXPIRED: "its certificate has expired",
	CERT_NOT_YET_VALID: "its certificate is not valid yet",
	ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name",
	UND_ERR_SOCKET: "the connection was closed before the answer was complete",
	UND_ERR_CONNECT_TIMEOUT: "the connection timed out"
};
const TLS_CODES = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
const NO_TLS_CODES = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;
const UNTRUSTED_CODES = /^(?:CERT_UNTRUSTED|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
const TRIES_FOR_UNKNOWN_NAME = 3;
function isHopeless(trouble, tries) {
	const { code, message } = rootOf(trouble);
	return TLS_CODES.test(code) || message === "bad port" || code === "ENOTFOUND" && tries >= TRIES_FOR_UNKNOWN_NAME;
}
function describeNetworkTrouble(trouble) {
	const { code, message, name } = rootOf(trouble);
	if (name === "TimeoutError") return "no answer in time";
	if (NO_TLS_CODES.test(code)) return `the server speaks http at this port, not https (${code}); begin its address with http://`;
	if (UNTRUSTED_CODES.test(code)) return `its certificate is not trusted here (${code}); set the input ca-file, or the runner's NODE_EXTRA_CA_CERTS`;
	const sentence = TROUBLE_BY_CODE[code] ?? (TLS_CODES.test(code) ? "no https connection could be made" : message);
	return code === "" || sentence.includes(code) ? sentence : `${sentence} (${code})`;
}
function rootOf(trouble) {
	let error = trouble;
	while (error instanceof Error) {
		const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
		if (!(inner instanceof Error)) break;
		error = inner;
	}
	if (!(error instanceof Error)) return {
		code: "",
		message: String(error),
		name: ""
	};
	const { code } = error;
	return {
		code: typeof code === "string" ? code : "",
		message: error.message,
		name: error.name
	};
}

// action/src/api/progress.ts
const QUIET_MS = 2e3;
const PAUSE_MS = 1e4;
function paceOf(now) {
	const begun = now();
	let next = begun + QUIET_MS;
	const isDue = () => {
		if (now() < next) return false;
		next = now() + PAUSE_MS;
		return true;
	};
	return Object.assign(isDue, { seconds: () => Math.round((now() - begun) / 1e3) });
}
function tellReading(report, { log, now }) {
	const isDue = paceOf(now);
	const { path, size } = report;
	return {
		...report,
		read(target, offset, length, position) {
			const count = report.read(target, offset, length, position);
			if (isDue()) log.info(`Still reading ${path}: ${byteText(position + count)} of ${byteText(size)}, ${isDue.seconds()} s so far`);
			return count;
		}
	};
}

// action/src/api/retrying-fetch.ts
function createRetryingFetches(runtime, log) {
	const { now, random, sleep } = runtime;
	let latest;
	return (limits) => async (request) => {
		const end = now() + limits.totalMs;
		let lastAnswer;
		const isDue = paceOf(now);
		const tryAgain = (tries) => {
			const stop = runtime.every?.(TICK_MS, () => {
				if (isDue()) log.info(tellSending(request, {
					tries,
					seconds: isDue.seconds()
				}));
			});
			return tryOnce(runtime, request, Math.max(1, Math.min(limits.tryMs, end - now()))).finally(stop);
		};
		for (let tries = 1;; tries += 1) {
			const outcome = await tryAgain(tries);
			if (outcome.answer !== void 0) latest = {
				url: request.shownUrl,
				answer: outcome.answer
			};
			if (outcome.answer !== void 0 && !isTransientStatus(outcome.answer.status)) return outcome.answer;
			lastAnswer = outcome.answer ?? lastAnswer;
			const asked = outcome.answer === void 0 ? void 0 : outcome.wait;
			const wait = asked === void 0 ? backOff(tries, random()) : asked;
			const giveUp = now() + wait >= end || outcome.answer === void 0 && isHopeless(outcome.trouble, tries);
			if (giveUp && lastAnswer === void 0) throw unanswered(request, {
				tries,
				trouble: outcome.trouble,
				latest
			});
			const next = giveUp ? `try ${tries} was the last` : `next try in ${(wait / 1e3).toFixed(1)} s`;
			log.info(`${describe(outcome)} from ${request.shownUrl}; ${next}`);
			if (giveUp) return lastAnswer;
			await sleep(wait);
		}
	};
}
const TICK_MS = 1e3;
function tellSending({ shownUrl, body }, at) {
	const so = `try ${at.tries}, ${at.seconds} s so far`;
	if (body === void 0) return `Still waiting for an answer from ${shownUrl}: ${so}`;
	return `Still sending ${byteText(Buffer.byteLength(body))} to ${shownUrl}: ${so}`;
}
async function tryOnce({ fetch, now, userAgent }, request, limitMs) {
	try {
		const response = await fetch(request.url, {
			method: request.method,
			headers: {
				"user-agent": userAgent,
				...request.headers
			},
			redirect: "manual",
			signal: AbortSignal.timeout(limitMs),
			...request.body === void 0 ? {} : { body: request.body }
		});
		const { status, headers } = response;
		return {
			answer: {
				status,
				text: await response.text(),
				contentType: headers.get("content-type") ?? "",
				location: headers.get("location") ?? "",
				warnings: headers.get("x-coverage-warnings") ?? void 0
			},
			wait: retryAfter(headers.get("retry-after"), now())
		};
	} catch (trouble) {
		return {
			answer: void 0,
			trouble
		};
	}
}
function describe(outcome) {
	return outcome.answer === void 0 ? describeNetworkTrouble(outcome.trouble) : `Status ${outcome.answer.status}`;
}
function unanswered({ shownUrl }, at) {
	const { tries, trouble: cause, latest } = at;
	const trouble = `${describeNetworkTrouble(cause)} (${counted(tries, "try", "tries")})`;
	const said = statedMessage(latest?.answer.text ?? "");
	const message = latest === void 0 ? `The coverage server cannot be reached at ${shownUrl}: ${trouble}. Check the URL in "coveralls-endpoint" or "server-url", that the server is up, and that this runner may connect to it.` : `The coverage server did not answer the request to ${shownUrl}: ${trouble}. It last answered ${latest.answer.status} from ${latest.url}${said ? `: ${said}` : ""}. Look at the server's log, then run this job again.`;
	return new ActionFailure("server-unreachable", message, {
		cause,
		ofServer: true
	});
}
function isTransientStatus(status) {
	return status === 408 || status === 429 || status >= 500;
}
const FIRST_WAIT_MS = 1e3;
const LONGEST_WAIT_MS = 3e4;
function backOff(tries, random) {
	const full = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
	return Math.round(full * (.5 + random / 2));
}
function retryAfter(header, now) {
	if (header === null) return void 0;
	const text = header.trim();
	if (/^\d+$/.test(text)) return Number(text) * 1e3;
	const date = /^[A-Za-z]{3},? /.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? void 0 : Math.max(0, date - now);
}
const MAX_SHOWN$1 = 500;
function statedMessage(text) {
	const message = parsedObject(text)?.message;
	if (typeof message !== "string" || message.trim() === "") return void 0;
	return (message.length > MAX_SHOWN$1 ? `${message.slice(0, MAX_SHOWN$1)}…` : message).trim().replace(/\.$/, "");
}
function parsedObject(text) {
	try {
		const value = JSON.parse(text);
		return typeof value === "object" && value !== null ? value : void 0;
	} catch {
		return;
	}
}

// action/src/api/refusals.ts
const ADVICE = {
	token: "check \"repo-token\" (the repo's token from the server, not a personal one), and that the repo was created there.",
	nothingToClose: "let this step run after a job of this run has uploaded its coverage (\"needs\" in the workflow), and with the same \"build-number\" as the uploads, if they have one. Without this step, the server closes the build after its quiet period (30 minutes by default).",
	address: "check the URL in \"coveralls-endpoint\" or \"server-url\": there is no coverage API.",
	size: "split the upload into parallel jobs with flags, or raise MAX_UPLOAD_BYTES on the server.",
	limit: "run it again later, or raise \"timeout\" so that this step waits longer.",
	fault: "look at the server's log, then run this job again; \"timeout\" says how long the step keeps trying."
};
const NO_BUILD = /^No (?:build matching|open parallel build)/;
const SAYS_WHAT_TO_DO = /(?:^|[.;:] )(?:Ask|Check|Create|Give|Run|Send|Split|Upload|Use|Wait) /;
function refusal(answer, url) {
	const { status, location } = answer;
	if (status >= 300 && status < 400) return new ActionFailure("server-refused", `${url} answered with a redirect (${status}) to ${location || "nowhere"}. An upload is never redirected: give the final URL as "coveralls-endpoint" or "server-url".`);
	const said = statedMessage(answer.text);
	if (said === void 0 && isHtml(answer)) return answerFailure(answer, url);
	const advice = adviceFor(status, said);
	const isSaid = said !== void 0 && SAYS_WHAT_TO_DO.test(said);
	const sentence = refused(url, {
		status,
		said: said ?? "",
		advice: isSaid ? "" : advice ?? ""
	});
	const ofServer = isTransientStatus(status);
	return new ActionFailure("server-refused", sentence, {
		ofToken: advice === ADVICE.token,
		ofServer
	});
}
function answerFailure(answer, url) {
	const { status, contentType } = answer;
	const seen = {
		status,
		contentType,
		isHtml: isHtml(answer),
		text: answer.text.trim()
	};
	return new ActionFailure("answer-not-understood", notJson(url, seen), { ofServer: isTransientStatus(status) });
}
function adviceFor(status, said = "") {
	if (status === 422 && NO_BUILD.test(said)) return ADVICE.nothingToClose;
	const isOfFork = /accept_forks|no run vouches/.test(said);
	const isOfToken = status === 422 && !isOfFork && (said === "" || /token/i.test(said));
	if (status === 401 || status === 403 || isOfToken) return ADVICE.token;
	if (status === 404) return /\brepo\b/i.test(said) ? void 0 : ADVICE.address;
	if (status === 413) return ADVICE.size;
	if (status === 429) return ADVICE.limit;
	return status >= 500 ? ADVICE.fault : void 0;
}
function isHtml(answer) {
	return /html/i.test(answer.contentType) || /^\s*</.test(answer.text);
}
function refused(url, { status, said, advice }) {
	return `The coverage server ${status >= 500 ? "could not accept" : "refused"} the request (${status} from ${url})${said === "" ? "" : `: ${said}`}.${advice === "" ? "" : ` Next: ${advice}`}`;
}
function notJson(url, answer) {
	const { status, isHtml, contentType, text } = answer;
	return `${url} answered ${status} with ${isHtml ? "an HTML page" : contentType || "content of no stated type"}, where JSON was expected.${text === "" ? "" : ` It begins: ${JSON.stringify(text.slice(0, 120))}.`} Either a proxy or sign-in page in front of the server answered, or the URL does not belong to a coverage server: check "coveralls-endpoint" or "server-url".`;
}

// action/src/api/coverage-client.ts
function createCoverageClient(fetchers, server, log) {
	const { send, read } = fetchers;
	const base = withoutEndSlashes(server.endpoint.href);
	const post = async (path, parts) => {
		const url = new URL(base + path);
		const headers = {
			...parts.headers,
			...authorization(server.token)
		};
		const answer = await send({
			...parts,
			url,
			shownUrl: url.href,
			method: "POST",
			headers
		});
		const accepted = acceptedJson(answer, url.href);
		for (const warning of readWarnings(answer.warnings)) log.warning(`The server warns: ${warning}`);
		return accepted;
	};
	const readJson = async (pageUrl) => {
		const url = readingUrl(pageUrl, base);
		if (url === void 0) return void 0;
		const accept = { accept: "application/json" };
		const asked = {
			url,
			shownUrl: url.href,
			method: "GET",
			headers: accept
		};
		let answer = await read({
			...asked,
			headers: {
				...accept,
				...authorization(server.token)
			}
		});
		if (answer.status === 401) {
			const older = new URL(url);
			if (server.readToken !== "") older.searchParams.set("repo_token", server.readToken);
			answer = await read({
				...asked,
				url: older
			});
		}
		return answer.status === 200 ? parsedObject(answer.text) : void 0;
	};
	return {
		async uploadJob(body) {
			const answer = await post("/api/v1/jobs", {
				headers: {
					"content-type": "application/json",
					"content-encoding": "gzip",
					accept: "application/json"
				},
				body
			});
			return {
				...answer,
				message: answer.message.split("\n", 1)[0] ?? ""
			};
		},
		closeBuild: (payload) => post("/webhook", {
			headers: {
				"content-type": "application/json",
				accept: "application/json"
			},
			body: JSON.stringify(payload)
		}),
		readBuild: (url) => readJson(url),
		async readUploadSettings() {
			if (server.readToken === "") return void 0;
			const url = new URL(`${base}/api/v1/upload-settings`);
			const headers = {
				accept: "application/json",
				...authorization(server.readToken)
			};
			const answer = await read({
				url,
				shownUrl: url.href,
				method: "GET",
				headers
			});
			return answer.status === 200 ? parsedObject(answer.text) : void 0;
		},
		readJob: (url) => readJson(url)
	};
}
function readingUrl(pageUrl, base) {
	if (!URL.canParse(pageUrl)) return void 0;
	const page = new URL(pageUrl);
	page.search = "";
	page.hash = "";
	if (page.origin === new URL(base).origin) {
		page.pathname = `${withoutEndSlashes(page.pathname)}.json`;
		return page;
	}
	const path = /\/(?:builds|jobs)\/[^/]+$/.exec(page.pathname)?.[0];
	return path === void 0 ? void 0 : new URL(`${base}${path}.json`);
}
function authorization(token) {
	return /^[\x21-\x7e]+$/.test(token) ? { authorization: `Bearer ${token}` } : {};
}
function readWarnings(header = "") {
	try {
		const warnings = JSON.parse(decodeURIComponent(header));
		return Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === "string") : [];
	} catch {
		return [];
	}
}
function withoutEndSlashes(text) {
	let end = text.length;
	while (text[end - 1] === "/") end -= 1;
	return text.slice(0, end);
}
function acceptedJson(answer, url) {
	if (answer.status < 200 || answer.status > 299) throw refusal(answer, url);
	const value = parsedObject(answer.text);
	if (value === void 0 || typeof value.url !== "string") throw answerFailure(answer, url);
	if (value.error) throw new ActionFailure("server-refused", `${url} answered ${answer.status} with an error: ${answer.text.slice(0, 300)}`);
	return value;
}

// action/src/step/identity.ts
const AS_GITHUB_TOKEN = "Using the github-token: there is no repo-token, and the job may not ask for an ID token (\"permissions: id-token: write\").";
const RUN_INSTEAD = "the step uploads without a token instead, and the git host confirms the run";
const RUN_NEXT = "the step sends it without a token instead, and the git host confirms the run";
const LIMITS$2 = {
	totalMs: 15e3,
	tryMs: 5e3
};
async function withIdentity(inputs, tools, work) {
	const { log, maskSecret } = tools;
	const { idTokenRequest: request, githubToken, withoutSecret } = inputs;
	if (request === void 0) {
		if (inputs.token === "") log.info("Uploading without a token: the git host confirms the run.");
		else log.info(inputs.token === githubToken ? AS_GITHUB_TOKEN : "Using the repo token.");
		return withTokenOrRun(inputs, tools, work);
	}
	const audience = withoutEndSlashes(inputs.endpoint.href);
	const asked = await askIdToken(request, audience, tools);
	if ("reason" in asked) {
		if (githubToken === "" && !withoutSecret) throw new ActionFailure("bad-input", noIdToken({
			...asked,
			next: "and there is neither a repo-token nor a github-token"
		}));
		log.info(noIdToken({
			...asked,
			next: githubToken === "" ? RUN_INSTEAD : "the github-token is used instead"
		}));
		return withTokenOrRun(inputs, tools, work);
	}
	maskSecret(asked.token);
	log.info(`Using an ID token of this run for ${audience}: there is no repo-token, and the job may ask for one.`);
	try {
		return await work({
			...inputs,
			token: asked.token,
			readToken: ""
		});
	} catch (error) {
		const refusal = refusalOfToken(error);
		if (refusal === void 0 || githubToken === "" && !withoutSecret) throw error;
		const next = githubToken === "" ? RUN_NEXT : "the github-token is tried instead";
		log.info(tokenRefused({
			token: "the ID token",
			next,
			said: refusal.message
		}));
		return withTokenOrRun(inputs, tools, work);
	}
}
async function withTokenOrRun(inputs, { log }, work) {
	try {
		return await work(inputs);
	} catch (error) {
		const refusal = refusalOfToken(error);
		if (refusal === void 0 || inputs.token === "" || !inputs.withoutSecret) throw error;
		log.info(tokenRefused({
			token: "the GitHub token of this run, which has no secrets",
			next: RUN_NEXT,
			said: refusal.message
		}));
		return work({
			...inputs,
			token: "",
			readToken: ""
		});
	}
}
function refusalOfToken(error) {
	if (!(error instanceof ActionFailure)) return void 0;
	return error.ofToken ? error : refusalOfToken(error.cause);
}
async function askIdToken({ url: address, token }, audience, { runtime, log }) {
	if (!URL.canParse(address)) return { reason: "ACTIONS_ID_TOKEN_REQUEST_URL is no address" };
	const headers = {
		accept: "application/json",
		authorization: `Bearer ${token}`
	};
	const ask = async (wanted) => {
		const url = new URL(address);
		url.searchParams.set("audience", wanted);
		const asked = {
			url,
			shownUrl: url.origin,
			method: "GET",
			headers
		};
		const answer = await createRetryingFetches(runtime, log)(LIMITS$2)(asked);
		const { value } = parsedObject(answer.text) ?? {};
		if (answer.status === 200 && typeof value === "string" && value !== "") return { token: value };
		return { reason: `it answered ${answer.status} without a token` };
	};
	try {
		const first = await ask(audience);
		return "reason" in first || hasId(first.token) ? first : await ask(`${audience}#${randomUUID()}`);
	} catch (error) {
		return { reason: describeNetworkTrouble(error instanceof ActionFailure ? error.cause : error) };
	}
}
function hasId(token) {
	const claims = parsedObject(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
	return claims === void 0 || "jti" in claims;
}
function noIdToken({ reason, next }) {
	return `The git host did not give this job an ID token (${reason}); ${next}.`;
}
function tokenRefused({ token, next, said }) {
	return `The server did not accept ${token}; ${next}. It said: ${said}`;
}

// action/src/context/event.ts
function describeEvent(runner) {
	const { pull_request: pull, merge_group: group, workflow_run: run } = runner.event;
	if (pull !== void 0) return pullRequestFacts(runner, pull);
	if (group !== void 0) return {
		headSha: group.head_sha || runner.sha,
		branch: withoutHeads(group.head_ref || runner.ref),
		pullRequest: "",
		baseBranch: withoutHeads(group.base_ref ?? ""),
		baseSha: group.base_sha ?? "",
		pushedFrom: "",
		testsMerge: false,
		commit: describeCommit(group.head_commit)
	};
	if (run !== void 0) return workflowRunFacts(runner, run);
	return {
		headSha: runner.sha,
		branch: branchOf(runner),
		pullRequest: /^refs\/pull\/(\d+)\//.exec(runner.ref)?.[1] ?? "",
		baseBranch: "",
		baseSha: "",
		pushedFrom: pushedFrom(runner.event),
		testsMerge: false,
		commit: describeCommit(runner.event.head_commit)
	};
}
const OF_DEPENDABOT = /* @__PURE__ */ new Set([
	"push",
	"create",
	"deployment",
	"deployment_status"
]);
const DEPENDABOT = "dependabot[bot]";
function hasNoSecrets({ event, eventName, repository }) {
	const { pull_request: pull, sender } = event;
	if (eventName === "pull_request_target") return false;
	if (pull === void 0) return sender?.login === DEPENDABOT && OF_DEPENDABOT.has(eventName);
	const from = pull.head?.repo;
	return from === null || from?.full_name !== void 0 && !sameName(from.full_name, repository) || [pull.user?.login, sender?.login].includes(DEPENDABOT);
}
function sameName(one, other) {
	return one.toLowerCase() === other.toLowerCase();
}
function pullRequestFacts(runner, pull) {
	const headSha = pull.head?.sha || runner.sha;
	return {
		headSha,
		branch: pull.head?.ref || runner.headRef,
		pullRequest: String(pull.number ?? ""),
		baseBranch: pull.base?.ref ?? "",
		baseSha: pull.base?.sha ?? "",
		pushedFrom: "",
		testsMerge: /^refs\/pull\/\d+\/merge$/.test(runner.ref) && runner.sha !== headSha,
		commit: {
			message: pull.title ?? "",
			...pull.user?.login ? { authorName: pull.user.login } : {}
		}
	};
}
function workflowRunFacts({ event, sha }, run) {
	const isOwn = isSameRepo(run.head_repository, event.repository);
	const pull = run.pull_requests?.find(({ base }) => isSameRepo(base?.repo, event.repository));
	return {
		headSha: run.head_sha || sha,
		branch: isOwn || pull !== void 0 ? run.head_branch ?? "" : "",
		pullRequest: String(pull?.number ?? ""),
		baseBranch: pull?.base?.ref ?? "",
		baseSha: pull?.base?.sha ?? "",
		pushedFrom: "",
		testsMerge: false,
		commit: describeCommit(run.head_commit)
	};
}
function isSameRepo(one, own) {
	if (one === null) return false;
	if (one?.id !== void 0 && own?.id !== void 0) return one.id === own.id;
	if (one?.full_name === void 0 || own?.full_name === void 0) return true;
	return sameName(one.full_name, own.full_name);
}
function pushedFrom({ before = "", forced }) {
	return forced === false && !/^0*$/.test(before) ? before : "";
}
function branchOf({ ref, refName, headRef }) {
	if (headRef !== "") return headRef;
	if (ref.startsWith("refs/tags/")) return ref;
	return ref.startsWith("refs/pull/") ? "" : withoutHeads(ref) || refName;
}
function withoutHeads(ref) {
	return ref.replace(/^refs\/heads\//, "");
}
function describeCommit(commit) {
	const { author, committer } = commit ?? {};
	return {
		message: commit?.message ?? "",
		...author?.name === void 0 ? {} : { authorName: author.name },
		...author?.email === void 0 ? {} : { authorEmail: author.email },
		...committer?.name === void 0 ? {} : { committerName: committer.name },
		...committer?.email === void 0 ? {} : { committerEmail: committer.email }
	};
}

// action/src/git/git-places.ts
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const MAX_LINK_BYTES = 4096;
const MAX_REFS_BYTES = 64 << 20;
const MAX_LINKS = 5;
function isSha(text) {
	return SHA.test(text);
}
function findGitPlaces(root, workspace) {
	const bounds = realPath(workspace);
	const inBounds = (path) => {
		const real = path === void 0 || bounds === void 0 ? void 0 : realPath(path);
		return real !== void 0 && isInside(bounds, real) && isFolder(real) ? real : void 0;
	};
	const entry = join(root, ".git");
	const folder = inBounds(isFolder(entry) ? entry : linkedFrom(entry, root));
	if (folder === void 0 || readSmall(join(folder, "HEAD"), MAX_LINK_BYTES) === void 0) return void 0;
	const shared = readSmall(join(folder, "commondir"), MAX_LINK_BYTES);
	const common = shared === void 0 ? folder : inBounds(resolve(folder, shared.trim()));
	if (common === void 0 || !isFolder(join(common, "objects"))) return void 0;
	return {
		root,
		folder,
		common
	};
}
function foldersBetween(workspace, folder) {
	const below = relative(workspace, folder);
	if (below === "" || !isInside(workspace, folder)) return [];
	const parts = below.split(sep);
	return parts.map((_, index) => join(workspace, ...parts.slice(0, index + 1)));
}
function readHead$1(places) {
	return followed(places, readSmall(join(places.folder, "HEAD"), MAX_LINK_BYTES));
}
function followed({ common }, link) {
	let text = link?.trim();
	for (let links = 0; links < MAX_LINKS && text?.startsWith("ref: "); links += 1) {
		const name = text.slice(5).trim();
		if (!name.startsWith("refs/") || name.split("/").includes("..")) return void 0;
		text = (readSmall(join(common, name), MAX_LINK_BYTES) ?? packedRef(common, name))?.trim();
	}
	return text !== void 0 && isSha(text) ? text : void 0;
}
function readSmall(path, maxBytes) {
	try {
		const found = statSync(path, { throwIfNoEntry: false });
		return found?.isFile() && found.size <= maxBytes ? readFileSync$1(path, "utf8") : void 0;
	} catch {
		return;
	}
}
function packedRef(common, name) {
	return (readSmall(join(common, "packed-refs"), MAX_REFS_BYTES)?.split("\n") ?? []).find((line) => line.endsWith(` ${name}`))?.slice(0, -name.length - 1);
}
function linkedFrom(file, root) {
	const text = readSmall(file, MAX_LINK_BYTES);
	return text?.startsWith("gitdir: ") ? resolve(root, text.slice(8).trim()) : void 0;
}
function isInside(outer, path) {
	const way = relative(outer, path);
	return way === "" || way !== ".." && !way.startsWith(`..${sep}`) && resolve(outer, way) === resolve(path);
}
function isFolder(path) {
	try {
		return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
	} catch {
		return false;
	}
}
function realPath(path) {
	try {
		return realpathSync(path);
	} catch {
		return;
	}
}

// action/src/git/git-environment.ts
const INHERITED = /* @__PURE__ */ new Set([
	"PATH",
	"PATHEXT",
	"SYSTEMROOT",
	"WINDIR",
	"COMSPEC",
	"TMP",
	"TEMP",
	"TMPDIR",
	"LANG",
	"HTTP_PROXY",
	"HTTPS_PROXY",
	"ALL_PROXY",
	"NO_PROXY",
	"SSL_CERT_FILE",
	"SSL_CERT_DIR",
	"GIT_SSL_CAINFO",
	"GIT_SSL_CAPATH"
]);
const PLACES_OF_SETTINGS = /* @__PURE__ */ new Set([
	"HOME",
	"USERPROFILE",
	"PROGRAMDATA",
	"XDG_CONFIG_HOME",
	"GIT_CONFIG_SYSTEM",
	"GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_NOSYSTEM"
]);
const QUIET = {
	GIT_TERMINAL_PROMPT: "0",
	GIT_ASKPASS: "",
	SSH_ASKPASS_REQUIRE: "never",
	GCM_INTERACTIVE: "never",
	GIT_OPTIONAL_LOCKS: "0",
	LC_ALL: "C"
};
const WITHOUT_SETTINGS = {
	GIT_CONFIG_NOSYSTEM: "1",
	GIT_CONFIG_GLOBAL: "/dev/null",
	GIT_ATTR_NOSYSTEM: "1",
	GIT_NO_REPLACE_OBJECTS: "1"
};
function gitEnvironment(env, { folder, transports = [] }) {
	return {
		...picked(env, INHERITED),
		...QUIET,
		...WITHOUT_SETTINGS,
		HOME: folder,
		GIT_DIR: folder,
		GIT_ALLOW_PROTOCOL: transports.join(":") || "none"
	};
}
function withoutWorkspacePath(env, workspace) {
	const bounds = [resolve(workspace), realPath(workspace) ?? resolve(workspace)];
	const isOutside = (folder) => isAbsolute(folder) && [resolve(folder), realPath(folder) ?? resolve(folder)].every((path) => bounds.every((bound) => !isInside(bound, path)));
	const kept = Object.entries(env).flatMap(([name, value]) => {
		if (name.toUpperCase() !== "PATH") return [[name, value]];
		const path = (value ?? "").split(delimiter).filter(isOutside).join(delimiter);
		return path === "" ? [] : [[name, path]];
	});
	return Object.fromEntries(kept);
}
function settingsEnvironment(env, folder) {
	return {
		...picked(env, INHERITED),
		...picked(env, PLACES_OF_SETTINGS),
		...QUIET,
		GIT_DIR: folder,
		GIT_ALLOW_PROTOCOL: "none"
	};
}
function settingVariables(settings) {
	const pairs = settings.flatMap(([key, value], index) => [[`GIT_CONFIG_KEY_${index}`, key], [`GIT_CONFIG_VALUE_${index}`, value]]);
	return {
		GIT_CONFIG_COUNT: String(settings.length),
		...Object.fromEntries(pairs)
	};
}
function picked(env, names) {
	const found = Object.entries(env).filter(([name, value]) => value !== void 0 && names.has(name.toUpperCase()));
	return Object.fromEntries(found);
}
const MAX_OUTPUT_BYTES = 512 << 20;
const TIME_LIMIT_MS = 6e4;
function runText({ command, folder, env }, args, signal) {
	const limits = {
		maxBuffer: MAX_OUTPUT_BYTES,
		timeout: TIME_LIMIT_MS,
		...signal === void 0 ? {} : { signal }
	};
	return new Promise((resolve) => {
		execFile(command, args, {
			...limits,
			env,
			cwd: folder,
			windowsHide: true
		}, (error, stdout) => resolve(error === null ? stdout : void 0));
	});
}

// action/src/context/commit.ts
const WHEN = /^ -?\d+ [+-]\d{4}$/;
function parseCommit(text) {
	const end = text.indexOf("\n\n");
	const headers = (end < 0 ? text : text.slice(0, end)).split("\n");
	const author = person(headers, "author ");
	const committer = person(headers, "committer ");
	return {
		parents: headers.filter((line) => line.startsWith("parent ")).map((line) => line.slice(7)),
		...author === void 0 ? {} : {
			authorName: author.name,
			authorEmail: author.email
		},
		...committer === void 0 ? {} : {
			committerName: committer.name,
			committerEmail: committer.email
		},
		message: end < 0 ? "" : text.slice(end + 2).trimEnd()
	};
}
function person(headers, label) {
	const text = headers.find((header) => header.startsWith(label))?.slice(label.length) ?? "";
	const close = text.lastIndexOf(">");
	const open = close < 1 ? -1 : text.indexOf("<", text.lastIndexOf(">", close - 1) + 1);
	if (open < 0 || open > close || !WHEN.test(text.slice(close + 1))) return void 0;
	return {
		name: text.slice(0, text[open - 1] === " " ? open - 1 : open),
		email: text.slice(open + 1, close)
	};
}

// action/src/context/git.ts
const PLAIN = "100";
function createGit(folders, signal) {
	const ask = async (root, how, ...args) => {
		const folder = await folders.at(root, signal);
		return folder === void 0 ? void 0 : runText(how(folder), args, signal);
	};
	const hasCommit = async (root, sha) => isSha(sha) && (await ask(root, ({ reading }) => reading, "rev-list", "--no-walk", "--missing=allow-any", sha))?.trim() === sha;
	return {
		hasCommit,
		async listFiles(root) {
			return ((await ask(root, ({ listing }) => listing, "ls-files", "-z", "--full-name", "--stage"))?.split("\0").filter((line) => line !== "") ?? []).map((line) => ({
				name: line.slice(line.indexOf("	") + 1),
				isPlain: line.startsWith(PLAIN)
			}));
		},
		async completeSha(root, start) {
			if (!isShaStart(start)) return void 0;
			const found = (await ask(root, ({ reading }) => reading, "rev-parse", "--verify", "--quiet", `${start}^{commit}`))?.trim();
			return found !== void 0 && isSha(found) ? found : void 0;
		},
		headSha: async (root) => (await folders.at(root, signal))?.headSha,
		async readCommit(root, sha) {
			if (!await hasCommit(root, sha)) return void 0;
			const text = await ask(root, ({ reading }) => reading, "cat-file", "commit", sha);
			return text === void 0 ? void 0 : parseCommit(text);
		},
		async remotes(root) {
			return ((await folders.at(root, signal))?.remotes ?? []).map(({ name, url }) => ({
				name,
				url: withoutUserinfo(url)
			}));
		}
	};
}
function withoutUserinfo(url) {
	const parsed = URL.canParse(url) ? new URL(url) : void 0;
	if (parsed !== void 0 && /^[a-z][a-z0-9+.-]*:\/\//i.test(url)) {
		parsed.username = "";
		parsed.password = "";
		parsed.search = "";
		parsed.hash = "";
		return parsed.href.replace(/^([a-z0-9+.-]+:\/\/)[^/]*@/i, "$1");
	}
	return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i, "$1");
}
function isShaStart(text) {
	return /^[0-9a-f]{7,64}$/i.test(text);
}
const REFUSED$1 = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|^[-./]|[./]$|^@$/;
function isRefName(text) {
	return text !== "" && text.length <= 1e3 && !REFUSED$1.test(text);
}

// shared/src/glob.ts
const SPECIAL$1 = /[*?[{]/;
const ANY = "**";
function isGlob(text) {
	return SPECIAL$1.test(text);
}
function parseGlob(pattern) {
	const parts = pattern.replace(/^(?:\.\/)+/, "").split("/");
	const firstSpecial = parts.findIndex((part) => isGlob(part));
	const folder = parts.slice(0, firstSpecial < 0 ? -1 : firstSpecial).join("/") || (pattern.startsWith("/") ? "/" : "");
	const patterns = parts.map((part) => part === ANY ? ANY : parsePart(part));
	return {
		folder,
		matches: (path) => matchesParts(patterns, path.split("/"))
	};
}
function matchesParts(patterns, parts) {
	let places = /* @__PURE__ */ new Set([0]);
	for (const [index, pattern] of patterns.entries()) {
		const next = /* @__PURE__ */ new Set();
		if (pattern === ANY) {
			const first = Math.min(...places);
			if (index === patterns.length - 1) return first < parts.length;
			for (let place = first; place < parts.length; place += 1) next.add(place);
		} else for (const place of places) {
			const part = parts[place];
			if (part !== void 0 && matchesPart(pattern, part)) next.add(place + 1);
		}
		places = next;
	}
	return places.has(parts.length);
}
const ANY_TEXT = { kind: "any-text" };
const ANY_CHARACTER = {
	kind: "character",
	matches: () => true
};
function parsePart(text) {
	return new PartParser(text).parse();
}
function matchesPart(pattern, text) {
	return advance(pattern, text, /* @__PURE__ */ new Set([0])).has(text.length);
}
function advance(pattern, text, starts) {
	let places = starts;
	for (const piece of pattern) {
		if (places.size === 0) return places;
		const next = /* @__PURE__ */ new Set();
		if (piece.kind === "any-text") for (let place = Math.min(...places); place <= text.length; place += 1) next.add(place);
		else if (piece.kind === "character") {
			for (const place of places) if (place < text.length && piece.matches(text[place])) next.add(place + 1);
		} else for (const choice of piece.choices) for (const place of advance(choice, text, places)) next.add(place);
		places = next;
	}
	return places;
}
var PartParser = class {
	#text;
	#at = 0;
	constructor(text) {
		this.#text = text;
	}
	parse() {
		return this.#choices(0)[0];
	}
	#choices(depth) {
		const choices = [[]];
		while (this.#at < this.#text.length) {
			const character = this.#text[this.#at];
			if (depth > 0 && character === "}") {
				this.#at += 1;
				break;
			}
			if (depth > 0 && character === ",") {
				choices.push([]);
				this.#at += 1;
			} else choices.at(-1)?.push(this.#piece(character, depth));
		}
		return choices;
	}
	#piece(character, depth) {
		const [text, start] = [this.#text, this.#at];
		this.#at += 1;
		if (character === "*") {
			while (text[this.#at] === "*") this.#at += 1;
			return ANY_TEXT;
		}
		if (character === "?") return ANY_CHARACTER;
		if (character === "[" && text.includes("]", start + 2)) {
			const close = text.indexOf("]", start + 2);
			this.#at = close + 1;
			return {
				kind: "character",
				matches: characterSet(text.slice(start + 1, close))
			};
		}
		if (character === "{" && text.includes("}", start)) return {
			kind: "one-of",
			choices: this.#choices(depth + 1)
		};
		return {
			kind: "character",
			matches: (other) => other === character
		};
	}
};
function characterSet(content) {
	const negated = content.startsWith("!") || content.startsWith("^");
	const ranges = [];
	for (let at = negated ? 1 : 0; at < content.length; at += 1) {
		const from = content[at];
		const isRange = content[at + 1] === "-" && at + 2 < content.length;
		ranges.push({
			from,
			to: isRange ? content[at + 2] : from
		});
		if (isRange) at += 2;
	}
	return (character) => ranges.some(({ from, to }) => from <= character && character <= to) !== negated;
}

// shared/src/path-patterns.ts
function pathPattern(stated) {
	const pattern = stated.replaceAll("\\", "/").replace(/^(?:\.?\/)+|^\.$/, "");
	if (!isGlob(pattern)) {
		const folder = withoutSlashes(pattern);
		return (path) => folder === "" || path === folder || path.startsWith(`${folder}/`);
	}
	const glob = parseGlob(pattern.endsWith("/") ? `${pattern}**` : pattern);
	const start = glob.folder === "" ? "" : `${glob.folder}/`;
	const end = literalEnd(pattern);
	return (path) => path.startsWith(start) && path.endsWith(end) && glob.matches(path);
}
function literalEnd(pattern) {
	return pattern.slice(1 + Math.max(...[..."*?[]{}/"].map((sign) => pattern.lastIndexOf(sign))));
}
function withoutSlashes(folder) {
	let end = folder.length;
	while (folder[end - 1] === "/") end -= 1;
	return folder.slice(0, end);
}

// action/src/report/path-names.ts
const DRIVE = /^[a-zA-Z]:\//;
const FOREIGN_PART = /(?:^|\/)(?:node_modules|vendor|site-packages|dist-packages|\.cargo|rustc|target|\.git|Program Files[^/]*)\//;
const FOREIGN_STARTS = [
	/^\/usr\/(?:local\/)?(?:include|lib|lib32|lib64|libexec|share)\//,
	/^\/(?:lib(?:32|64)?|nix\/store|opt\/homebrew|opt\/hostedtoolcache|Library|Applications|System)\//,
	/^[a-zA-Z]:\/(?:Windows|hostedtoolcache)\//
];
function cleanName(name) {
	const slashed = name.replace(/^file:\/\/(?=\/)/, "").replaceAll("\\", "/");
	return posix.normalize(slashed.replace(/^\/(?=[a-zA-Z]:\/)/, "")).replace(/(?<=.)\/$/, "");
}
function isAbsoluteName(name) {
	return name.startsWith("/") || DRIVE.test(name);
}
function isForeignName(name) {
	return FOREIGN_PART.test(name) || isSystemName(name);
}
function isSystemName(name) {
	return FOREIGN_STARTS.some((start) => start.test(name));
}
function writtenForms(name) {
	const plain = cleanName(withoutBundler(name));
	return [.../* @__PURE__ */ new Set([
		cleanName(name),
		plain,
		plain.replace(/^(?:\.\.\/)+(?=.)/, "")
	])];
}
const BUNDLED = /^(?:webpack(?:-internal)?|turbopack|https?):\/\//;
function withoutBundler(name) {
	const file = name.replace(/^\/@fs(?=\/)/, "").replace(/(?<=.)\?.*$/s, "");
	const scheme = BUNDLED.exec(file)?.[0];
	if (scheme === void 0) return file;
	const path = file.slice(scheme.length);
	if (scheme.startsWith("http")) return path.replace(/^[^/]*/, "");
	const [, relative] = /^(?:@[^/]*\/)?[^/]*\/(?:\([^/()]*\)\/|\[project\]\/)?((?:\.{1,2}\/)*[^/].*)$/s.exec(path) ?? [];
	return relative ?? path.replace(/^[^/]*/, "").replace(/^\/(?=\/)/, "");
}
function below(root, name) {
	const prefix = root.endsWith("/") ? root : `${root}/`;
	return (DRIVE.test(prefix) ? name.toLowerCase().startsWith(prefix.toLowerCase()) : name.startsWith(prefix)) ? name.slice(prefix.length) : void 0;
}
function joinName(folder, name) {
	return posix.normalize(folder === "" ? name.replace(/^\/+/, "") : `${folder}/${name}`);
}
function chooser({ include, exclude }) {
	const [wanted, unwanted] = [include.map(pathPattern), exclude.map(pathPattern)];
	return (path) => (wanted.length === 0 || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path));
}
function parseMove(text) {
	const at = text.indexOf("=");
	const [from, to] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
	if (at < 0 || from === "") return void 0;
	return {
		from: cleanName(from),
		to: cleanName(to === "" ? "." : to)
	};
}
function moveName(spellings, moves) {
	for (const { from, to } of moves) for (const spelling of spellings) {
		const rest = spelling === from ? "" : below(from, spelling);
		if (rest !== void 0) return joinName(to, rest).replace(/\/$/, "");
	}
}

// action/src/step/input-values.ts
const ON = /* @__PURE__ */ new Set([
	"true",
	"1",
	"yes",
	"on"
]);
const OFF = /* @__PURE__ */ new Set([
	"",
	"false",
	"0",
	"no",
	"off"
]);
function isOff(text) {
	return OFF.has(text.toLowerCase());
}
function readSwitch({ input }, name, unset = "") {
	const text = (input(name) || unset).toLowerCase();
	if (ON.has(text)) return true;
	if (OFF.has(text)) return false;
	throw badInput(`Input ${name}: expected true or false, got "${input(name)}".`);
}
function readFailureSwitch({ input }, name, unset) {
	return input(name) === "" ? unset : !isOff(input(name));
}
function readSeconds({ input }, name, limits) {
	const text = input(name) || String(limits.unset);
	const seconds = Number(text);
	if (/^\d+$/.test(text) && seconds >= 1 && seconds <= limits.max) return seconds * 1e3;
	throw badInput(`Input ${name}: expected whole seconds from 1 to ${limits.max}, got "${text}".`);
}
function readPatterns({ input }, name) {
	return listed(input(name), input(name).includes("\n") ? /\r?\n/ : /\s+/);
}
function listed(text, separator) {
	return text.split(separator).map((part) => part.trim()).filter((part) => part !== "");
}
function badInput(message) {
	return new ActionFailure("bad-input", message);
}

// action/src/step/codecov-inputs.ts
const TOKEN_TAKEN = "Input token is read as repo-token: it has to be the token that your coverage server shows for this repo.";
const EXCLUDE_IGNORED = "Input exclude has no effect together with inputs of codecov/codecov-action, because the step does not search for reports. In this action, it names files of the repo that do not count.";
const OURS = {
	token: "repo-token",
	flags: "flag-name",
	dry_run: "dry-run",
	fail_ci_if_error: "fail-on-error",
	handle_no_reports_found: "allow-empty",
	override_branch: "git-branch",
	override_build: "build-number",
	override_commit: "git-commit"
};
const IGNORED$1 = [
	...[
		"base_sha",
		"binary",
		"codecov_yml_path",
		"commit_parent",
		"disable_file_fixes",
		"disable_safe_directory"
	],
	...[
		"disable_telem",
		"env_vars",
		"force",
		"git_service",
		"job_code",
		"name",
		"network_filter",
		"os"
	],
	...[
		"override_build_url",
		"recurse_submodules",
		"report_code",
		"skip_validation",
		"swift_project",
		"url"
	],
	...[
		"use_legacy_upload_endpoint",
		"use_pypi",
		"verbose",
		"version"
	]
];
const REFUSED = [...[
	"gcov_args",
	"gcov_executable",
	"gcov_ignore",
	"gcov_include",
	"network_prefix",
	"plugins",
	"run_command"
]];
const SPECIAL = [
	"directory",
	"disable_search",
	"override_pr",
	"report_type",
	"root_dir",
	"slug",
	"use_oidc"
];
const WORKING_DIRECTORY = "working-directory";
const CODECOV_INPUTS = [
	...Object.keys(OURS),
	...IGNORED$1,
	...REFUSED,
	...SPECIAL,
	WORKING_DIRECTORY
];
function readCodecovInputs(given, repository) {
	const used = CODECOV_INPUTS.filter((name) => given.input(name) !== "");
	const files = splitFiles(given.input("files"));
	if (used.length === 0) return {
		input: (name) => name === "files" ? files.join("\n") : given.input(name),
		notices: [],
		pullRequest: ""
	};
	check(given, {
		used,
		files,
		repository
	});
	const folder = given.input(WORKING_DIRECTORY);
	const translated = {
		...Object.fromEntries(Object.entries(OURS).map(([theirs, ours]) => [ours, given.input(theirs)])),
		"repo-token": isOn$1(given, "use_oidc") ? "" : given.input("repo-token") || given.input("token"),
		"fail-on-server-error": given.input("fail_ci_if_error"),
		files: files.map((file) => within(folder, file)).join("\n"),
		file: given.input("file") && within(folder, given.input("file"))
	};
	const hasFiles = [
		...files,
		given.input("file"),
		given.input("path-to-lcov")
	].some((name) => name !== "");
	const directory = given.input("directory");
	return {
		input: (name) => name === "exclude" ? "" : translated[name] || (name === "repo-token" ? "" : given.input(name)),
		notices: noticesOf$1(given, {
			used,
			hasFiles
		}),
		searched: folder === "" && directory === "" ? void 0 : within(folder, directory),
		pullRequest: given.input("override_pr")
	};
}
function within(folder, name) {
	return isAbsolute(name) ? name : posix.join(folder, name);
}
function splitFiles(text) {
	return listed(text, text.includes("\n") ? /\r?\n/ : /\s+/).flatMap((line) => line.includes("{") ? [line] : listed(line, /,/));
}
function isOn$1(given, name) {
	return readSwitch(given, name);
}
function check(given, { used, files, repository }) {
	const text = (name) => given.input(name).trim();
	const refused = used.find((name) => REFUSED.includes(name) && !(name === "plugins" && text(name) === "noop"));
	if (refused !== void 0) throw badInput(`Input ${refused}: expected nothing, got "${text(refused)}". This action does not create reports or rename files with it: run the tool (gcov, for example) in its own step, and name its reports in files. path-map changes the names in a report.`);
	if (text("flags").includes(",")) throw badInput(`Input flags: expected one flag, got "${text("flags")}". An upload has one flag here: give each part of the tests its own step with parallel: true and its flag-name, and close the build in a last step (parallel-finished).`);
	if (!["", "coverage"].includes(text("report_type").toLowerCase())) throw badInput(`Input report_type: expected coverage, got "${text("report_type")}". This action only uploads coverage: remove the step.`);
	if (text("slug") !== "" && text("slug").toLowerCase() !== repository.toLowerCase()) throw badInput(`Input slug: expected ${repository || "the repo of this run"}, got "${text("slug")}". An upload always belongs to the repo of its run.`);
	if (![
		"",
		".",
		"./"
	].includes(text("root_dir"))) throw badInput(`Input root_dir: expected the root of the checkout, got "${text("root_dir")}". Give base-path if the names in the reports begin in a folder of the repo, or path-map if they have to change.`);
	if (!/^\d*$/.test(text("override_pr"))) throw badInput(`Input override_pr: expected the number of a pull request, got "${text("override_pr")}".`);
	if (isOn$1(given, "disable_search") && files.length === 0 && text("file") === "") throw badInput("Input disable_search: nothing would be uploaded, since files is empty. Name the reports in files.");
	if (text("exclude") !== "" && !isOn$1(given, "disable_search") && files.length === 0) throw badInput(`Input exclude: got "${text("exclude")}" beside inputs of codecov/codecov-action, which does not search those folders. Here it would leave files of the repo out of the numbers. Name the reports in files, or remove the input.`);
}
function noticesOf$1(given, { used, hasFiles }) {
	const ignored = used.filter((name) => IGNORED$1.includes(name) && !isOff(given.input(name)));
	return [
		...given.input("token") !== "" && given.input("repo-token") === "" && !isOn$1(given, "use_oidc") ? [TOKEN_TAKEN] : [],
		...hasFiles && !isOn$1(given, "disable_search") ? ["Only the files that you name are uploaded; the step does not search for others."] : [],
		...given.input("exclude") === "" ? [] : [EXCLUDE_IGNORED],
		...ignored.length === 0 ? [] : [`Inputs of codecov/codecov-action that have no effect here: ${ignored.join(", ")}.`]
	];
}

// action/src/step/inputs.ts
const NO_TOKEN_INPUT = "Input repo-token: give the repo token that the server shows for this repo (as a secret), or a github-token.";
function notAnAddress(name, text) {
	return `Input ${name}: expected an address like https://coverage.example or http://host:8080/path, got "${text}".`;
}
const LONGEST_TIMEOUT_S = 21600;
const MAX_JOBS = 1e3;
const API_PATH = /\/(?:api\/v1(?:\/jobs)?|webhook)\/?$/;
const WITHOUT_MEANING = [
	"debug",
	"measure",
	"coverage-reporter-version",
	"coverage-reporter-platform"
];
async function readInputs(given) {
	const runner = await readRunner(given);
	const own = readCodecovInputs(given, runner.repository);
	const source = {
		...given,
		...own
	};
	const { input } = source;
	const [repoToken, githubToken] = [input("repo-token"), markedToken(input("github-token"), source.env)];
	for (const secret of [repoToken, githubToken]) if (secret !== "") source.maskSecret(secret);
	const expectedJobs = readExpectedJobs(source);
	const parallel = readSwitch(source, "parallel") || expectedJobs !== void 0;
	const task = readSwitch(source, "parallel-finished") ? "close" : "report";
	const dryRun = readSwitch(source, "dry-run");
	const withoutSecret = (repoToken === "" || isHostToken(repoToken)) && hasNoSecrets(runner);
	const idTokenRequest = repoToken === "" ? readIdTokenRequest(source) : void 0;
	if (repoToken === "" && githubToken === "" && idTokenRequest === void 0 && !withoutSecret && !dryRun) throw badInput(NO_TOKEN_INPUT);
	return {
		task,
		files: readFiles$4(source),
		format: input("format"),
		flagName: input("flag-name"),
		parallel,
		expectedJobs,
		carryforward: readCarryforward(source),
		endpoint: readEndpoint(source),
		token: repoToken || githubToken,
		readToken: isHostToken(repoToken) ? "" : repoToken,
		githubToken,
		idTokenRequest,
		allowEmpty: readSwitch(source, "allow-empty"),
		allowAmbiguous: readSwitch(source, "allow-ambiguous"),
		choice: {
			include: readPatterns(source, "include"),
			exclude: readPatterns(source, "exclude")
		},
		pathMap: listed(input("path-map"), /\r?\n/).map(readMove),
		sendDiff: readSwitch(source, "send-diff", "true"),
		sendSource: readSourceChoice(source),
		timeoutMs: readSeconds(source, "timeout", {
			unset: 300,
			max: LONGEST_TIMEOUT_S
		}),
		waitMs: readWait(source, {
			task,
			parallel
		}),
		dryRun,
		annotations: readSwitch(source, "annotations"),
		buildNumber: input("build-number"),
		basePath: input("base-path"),
		matrix: input("matrix") || "null",
		gitBranch: input("git-branch"),
		gitCommit: readSha(source, "git-commit"),
		compareRef: readRef(source, "compare-ref"),
		compareSha: readSha(source, "compare-sha"),
		caFile: input("ca-file") && resolve(runner.workspace, input("ca-file")),
		behindProxy: [
			"HTTPS_PROXY",
			"https_proxy",
			"HTTP_PROXY",
			"http_proxy"
		].some((name) => Boolean(source.env[name])),
		runner,
		withoutSecret,
		pullRequest: own.pullRequest,
		notices: [...own.notices, ...noticesOf(source)],
		...own.searched === void 0 ? {} : { place: {
			folder: resolve(runner.workspace, own.searched),
			root: runner.workspace
		} }
	};
}
function readIdTokenRequest({ env }) {
	const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = env;
	return url && token ? {
		url,
		token
	} : void 0;
}
function readFiles$4({ input }) {
	return [...listed(input("file") || input("path-to-lcov"), /\r?\n/), ...readPatterns({ input }, "files")];
}
function readCarryforward({ input }) {
	const flags = listed(input("carryforward"), /\r?\n/);
	return flags.length > 1 ? flags : flags[0] ?? "";
}
function readMove(text) {
	const move = parseMove(text);
	if (move === void 0) throw badInput(`Input path-map: expected from=to, such as /app=backend, one per line, got "${text}".`);
	return move;
}
function noticesOf({ input }) {
	const given = WITHOUT_MEANING.filter((name) => !isOff(input(name)));
	const [file, oldFile] = [input("file"), input("path-to-lcov")];
	return [...given.length === 0 ? [] : [withoutEffect(given)], ...file === "" || oldFile === "" || file === oldFile ? [] : [fileTwice(file, oldFile)]];
}
function readSha({ input }, name) {
	const text = input(name);
	if (text === "" || isShaStart(text)) return text.toLowerCase();
	throw badInput(`Input ${name}: expected the sha of a commit, 7 to 64 hexadecimal digits, got "${text}".`);
}
function readRef({ input }, name) {
	const text = input(name);
	if (text === "" || isRefName(text)) return text;
	throw badInput(`Input ${name}: expected the name of a branch or tag that git accepts, got "${text}".`);
}
function isHostToken(token) {
	return /^(?:gh[a-z]_|github_pat_|gitea:|forgejo:)/.test(token);
}
function markedToken(token, { FORGEJO_ACTIONS: forgejo, GITEA_ACTIONS: gitea }) {
	const service = forgejo ? "forgejo:" : gitea ? "gitea:" : "";
	return token === "" || token.startsWith(service) ? token : service + token;
}
function failsStep({ input }, { ofServer }) {
	const source = { input: (name) => input("fail_ci_if_error") || input(name) };
	if (!readFailureSwitch(source, "fail-on-error", true)) return false;
	return !ofServer || readFailureSwitch(source, "fail-on-server-error", false);
}
async function readRunner({ env, readEvent }) {
	const variable = (name) => env[name] ?? "";
	return {
		eventName: variable("GITHUB_EVENT_NAME"),
		sha: variable("GITHUB_SHA"),
		ref: variable("GITHUB_REF"),
		refName: variable("GITHUB_REF_NAME"),
		headRef: variable("GITHUB_HEAD_REF"),
		repository: variable("GITHUB_REPOSITORY"),
		runId: variable("GITHUB_RUN_ID"),
		runAttempt: variable("GITHUB_RUN_ATTEMPT"),
		job: variable("GITHUB_JOB"),
		serverUrl: variable("GITHUB_SERVER_URL") || "https://github.com",
		workspace: resolve(variable("GITHUB_WORKSPACE") || "."),
		event: await readEvent()
	};
}
function readEndpoint({ input }) {
	const given = ["coveralls-endpoint", "server-url"].filter((name) => input(name) !== "");
	const [name] = given;
	if (name === void 0) throw badInput("Input server-url: set this or coveralls-endpoint to the URL of your coverage server. Neither is set.");
	if (given.length > 1) throw badInput("Inputs coveralls-endpoint and server-url mean the same, but both are set: set only one of them.");
	const text = input(name);
	const url = URL.canParse(text) ? new URL(text) : void 0;
	if (url !== void 0 && (url.username !== "" || url.password !== "")) throw badInput(`Input ${name}: leave user name and password out of the URL; the token goes into repo-token.`);
	if (url === void 0 || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") throw badInput(notAnAddress(name, text));
	const path = API_PATH.exec(url.pathname)?.[0];
	if (path !== void 0) throw badInput(`Input ${name}: give only the base URL, without ${path} at its end, got "${text}".`);
	return url;
}
function readSourceChoice({ input }) {
	const text = input("send-source").toLowerCase();
	if (text === "") return void 0;
	const choice = [
		"all",
		"changed",
		"none"
	].find((one) => one === text);
	if (choice !== void 0) return choice;
	throw badInput(`Input send-source: expected all, changed or none, got "${input("send-source")}".`);
}
function readWait(source, step) {
	const waitMs = readSeconds(source, "wait-timeout", {
		unset: 600,
		max: LONGEST_TIMEOUT_S
	});
	if (!readSwitch(source, "wait")) return void 0;
	if (step.task === "report" && step.parallel) throw badInput("Input wait: a parallel upload does not close its build, so there is no verdict to wait for. Set wait in the step that closes the build (parallel-finished), not in this one.");
	return waitMs;
}
function readExpectedJobs({ input }) {
	const text = input("expected-jobs");
	if (text === "") return void 0;
	const jobs = Number(text);
	if (/^\d+$/.test(text) && jobs >= 1 && jobs <= MAX_JOBS) return jobs;
	throw badInput(`Input expected-jobs: expected the number of uploads that the build will have, from 1 to ${MAX_JOBS}, got "${text}".`);
}
function withoutEffect(names) {
	return `Inputs of coverallsapp/github-action that have no effect here: ${names.join(", ")}.`;
}
function fileTwice(taken, old) {
	return `Input path-to-lcov is the old name of file, and both are set: "${taken}" is used, "${old}" is not.`;
}

// action/src/step/outputs.ts
function stepOutputs({ upload, buildUrl, build }) {
	const { covered_percent: percent = null, coverage_change: change = null, verdict = null } = build ?? {};
	return {
		coverage: percent === null ? "" : percentText(percent),
		change: change === null ? "" : changeText(change),
		"job-url": upload?.url ?? "",
		"build-url": buildUrl ?? "",
		verdict: verdict?.state ?? "",
		overall: build?.overall?.state ?? verdict?.state ?? "",
		"failing-checks": (build?.overall?.failing ?? []).join("\n")
	};
}
function outcomeLine({ build, upload, dryRun, failure }) {
	if (dryRun) return NOTHING_SENT;
	if (build === void 0) return upload === void 0 ? "Build closed." : `${upload.message} uploaded.`;
	const decided = decisionOf(build);
	const said = decided === void 0 || failure !== void 0 ? "" : ` ${decided.state}: ${decided.words}`;
	return `${heading(build)}.${said}`;
}
function decisionOf({ verdict, overall }) {
	if (verdict === null) return void 0;
	if (overall === void 0 || [...overall.failing, ...overall.would_fail].every((id) => id === "total")) return {
		state: verdict.state,
		words: verdict.explanation
	};
	return {
		state: overall.state,
		words: overall.sentence
	};
}
function heading(build) {
	if (build === void 0) return "Coverage";
	const { covered_percent: percent, coverage_change: change } = build;
	if (percent === null) return "Coverage: no relevant lines";
	const changed = change === null ? "" : change === 0 ? " (unchanged)" : ` (${changeText(change)}%)`;
	return `Coverage ${percentText(percent)}%${changed}`;
}
const NOTHING_SENT = "Dry run: nothing was sent.";
function percentText(percent) {
	const [whole, decimals] = decimalParts(percent);
	return `${whole}.${decimals.padEnd(2, "0").slice(0, 2)}`;
}
function changeText(change) {
	if (change === 0) return "0.00";
	const [whole, decimals] = decimalParts(Math.abs(change));
	const firstDigit = decimals.search(/[1-9]/) + 1;
	const shown = whole === "0" ? Math.max(2, firstDigit) : 2;
	return `${change < 0 ? "-" : "+"}${whole}.${decimals.padEnd(shown, "0").slice(0, shown)}`;
}
function decimalParts(value) {
	const [digits = "0", exponent] = String(value).split("e-");
	const [whole = "0", decimals = ""] = digits.split(".");
	return exponent === void 0 ? [whole, decimals] : ["0", "0".repeat(Number(exponent) - 1) + whole + decimals];
}

// action/src/git/fetch-source.ts
const SHORT_FORM = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)\/?(.+)$/;
function fetchSource(remoteUrl, server, transports) {
	const host = URL.canParse(server.url) ? new URL(server.url) : void 0;
	const remote = parseRemote(remoteUrl);
	if (remote === void 0) return void 0;
	if (host?.protocol === "https:" && isOn(host, remote)) {
		const url = new URL(host.origin);
		url.pathname = remote.pathname;
		return {
			url: url.href,
			credentials: credentialsFor(host, server.token)
		};
	}
	return transports.some((transport) => remote.protocol === `${transport}:`) ? {
		url: remote.href,
		credentials: []
	} : void 0;
}
function parseRemote(remoteUrl) {
	const [, host, path] = SHORT_FORM.exec(remoteUrl) ?? [];
	const text = host === void 0 || URL.canParse(remoteUrl) ? remoteUrl : `ssh://${host}/${path}`;
	return URL.canParse(text) ? new URL(text) : void 0;
}
function isOn(host, remote) {
	if (remote.protocol === "https:") return remote.host === host.host;
	return [
		"ssh:",
		"git:",
		"http:"
	].includes(remote.protocol) && remote.hostname.toLowerCase() === host.hostname;
}
function credentialsFor(host, token) {
	if (token === "") return [];
	const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
	return [[`http.${host.origin}/.extraHeader`, `Authorization: Basic ${basic}`]];
}

// action/src/git/git-folder.ts
const REMOTE = "origin";
const MAX_SETTINGS_BYTES = 1 << 20;
const NETWORK_SETTINGS = "^http\\.(.*\\.)?(proxy|sslcainfo|sslcapath|sslbackend|schannelusesslcainfo)$";
async function openGitFolder(places, options, signal) {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "coverage-git-")));
	let filled;
	try {
		filled = await fill(folder, {
			places,
			options,
			signal
		});
	} finally {
		if (filled === void 0) removeFolder(folder);
	}
	return filled;
}
async function fill(folder, { places, options, signal }) {
	const { server, command = "git", transports = ["https"], env = process.env } = options;
	const start = (variables) => ({
		command,
		folder,
		env: variables
	});
	const reading = start(gitEnvironment(env, { folder }));
	const settings = await readSettings(places, reading, signal);
	if (settings === void 0) return void 0;
	const headSha = readHead$1(places);
	const remotes = remotesIn(settings);
	const remote = remotes.find(({ name }) => name === "origin") ?? remotes[0];
	const source = remote === void 0 ? void 0 : fetchSource(remote.url, server, transports);
	if (!writeFiles(folder, {
		places,
		settings,
		headSha,
		source
	})) return void 0;
	const index = join(places.folder, "index");
	return {
		root: places.root,
		headSha,
		remotes,
		isShallow: isFile$1(join(folder, "shallow")),
		isPartial: isPartial(settings),
		canFetch: source !== void 0,
		reading,
		listing: start({
			...reading.env,
			...isFile$1(index, Number.POSITIVE_INFINITY) ? { GIT_INDEX_FILE: index } : {}
		}),
		async fetching(until) {
			const ask = [
				"config",
				"-z",
				"--get-regexp",
				NETWORK_SETTINGS
			];
			const network = [...parseSettings(await runText(start(settingsEnvironment(env, folder)), ask, until) ?? ""), ...source?.credentials ?? []];
			return start({
				...gitEnvironment(env, {
					folder,
					transports
				}),
				...settingVariables(network)
			});
		},
		remove: () => removeFolder(folder)
	};
}
function removeFolder(folder) {
	try {
		rmSync(folder, {
			recursive: true,
			force: true,
			maxRetries: 3
		});
	} catch {}
}
async function readSettings({ common }, reading, signal) {
	const file = join(common, "config");
	if (!isFile$1(file, MAX_SETTINGS_BYTES)) return void 0;
	const text = await runText(reading, [
		"config",
		"--file",
		file,
		"--no-includes",
		"-z",
		"--list"
	], signal);
	return text === void 0 ? void 0 : parseSettings(text);
}
function parseSettings(text) {
	return text.split("\0").flatMap((entry) => {
		const end = entry.indexOf("\n");
		if (entry === "") return [];
		return [end < 0 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)]];
	});
}
function remotesIn(settings) {
	return settings.filter(([key]) => key.startsWith("remote.") && key.endsWith(".url") && key.length > 11).map(([key, url]) => ({
		name: key.slice(7, -4),
		url
	}));
}
function isPartial(settings) {
	return settings.some(([key]) => key.startsWith("remote.") && key.endsWith(".promisor"));
}
function writeFiles(folder, { places, settings, headSha, source }) {
	const objects = realpathSync(join(places.common, "objects"));
	if (objects.includes("\n")) return false;
	mkdirSync(join(folder, "objects", "info"), { recursive: true });
	mkdirSync(join(folder, "refs", "heads"), { recursive: true });
	writeFileSync(join(folder, "objects", "info", "alternates"), `${objects}\n`);
	writeFileSync(join(folder, "HEAD"), "ref: refs/heads/tested\n");
	if (headSha !== void 0) writeFileSync(join(folder, "refs", "heads", "tested"), `${headSha}\n`);
	const shallow = join(places.common, "shallow");
	if (isFile$1(shallow)) copyFileSync(shallow, join(folder, "shallow"));
	writeFileSync(join(folder, "config"), ownSettings(settings, source), { mode: 384 });
	return true;
}
const OWN_SETTINGS = [
	"[core]",
	"repositoryFormatVersion = 1",
	"bare = false",
	"alternateRefsCommand = :",
	"[gc]",
	"auto = 0",
	"[maintenance]",
	"auto = false",
	"[credential]",
	"interactive = false",
	"[http]",
	"followRedirects = false",
	"lowSpeedLimit = 1",
	"lowSpeedTime = 5"
];
function ownSettings(settings, source) {
	const value = (wanted) => settings.findLast(([key]) => wanted(key))?.[1] ?? "";
	const lines = [...OWN_SETTINGS, "[extensions]"];
	if (value((key) => key === "extensions.objectformat").toLowerCase() === "sha256") lines.push("objectFormat = sha256");
	const partial = isPartial(settings);
	if (partial) lines.push(`partialClone = ${REMOTE}`);
	lines.push(`[remote "${REMOTE}"]`);
	if (source !== void 0) lines.push(`url = ${JSON.stringify(source.url)}`);
	const filter = value((key) => key.startsWith("remote.") && key.endsWith(".partialclonefilter"));
	if (partial) lines.push("promisor = true", `partialCloneFilter = ${/^[\w:=+-]+$/.test(filter) ? filter : "blob:none"}`);
	return `${lines.join("\n")}\n`;
}
function isFile$1(path, maxBytes = 64 << 20) {
	const found = statSync(path, { throwIfNoEntry: false });
	return found?.isFile() === true && found.size > 0 && found.size <= maxBytes;
}
function createGitFolders(workspace, options) {
	const env = withoutWorkspacePath(options.env ?? process.env, workspace);
	const opened = /* @__PURE__ */ new Map();
	return {
		at(root, signal) {
			const known = opened.get(root);
			if (known !== void 0) return known;
			const places = findGitPlaces(root, workspace);
			const opening = Promise.resolve(places && openGitFolder(places, {
				...options,
				env
			}, signal).catch(() => void 0));
			opened.set(root, opening);
			return opening;
		},
		async remove() {
			for (const folder of await Promise.all(opened.values())) folder?.remove();
		}
	};
}

// action/src/change/hunk-reader.ts
const INDEX = /^index ([0-9a-f]+\.\.[0-9a-f]+)/;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const MAX_KEPT = 200;
const LINE_FEED$1 = 10;
const BACKSLASH$1 = 92;
var HunkReader = class {
	#byBlobs = /* @__PURE__ */ new Map();
	#limit;
	#count = 0;
	#current;
	#hunks = [];
	#body = 0;
	#line = "";
	#first = -1;
	constructor(limit) {
		this.#limit = limit;
	}
	read(piece) {
		for (let start = 0;;) {
			const end = piece.indexOf(LINE_FEED$1, start);
			const stop = end < 0 ? piece.length : end;
			if (this.#first < 0 && stop > start) this.#first = piece[start];
			if (this.#body === 0 && this.#line.length < MAX_KEPT) this.#line += piece.toString("latin1", start, Math.min(stop, start + MAX_KEPT));
			if (end < 0) return true;
			this.#endLine();
			if (this.#count > this.#limit) return false;
			start = end + 1;
		}
	}
	finish(whole) {
		if (whole) this.#store();
		return this.#byBlobs;
	}
	#store() {
		if (this.#current === void 0) return;
		if (this.#hunks !== null || !this.#byBlobs.has(this.#current)) this.#byBlobs.set(this.#current, this.#hunks);
	}
	#endLine() {
		if (this.#body > 0) this.#body -= this.#first === BACKSLASH$1 ? 0 : 1;
		else this.#readHeading(this.#line);
		this.#line = "";
		this.#first = -1;
	}
	#readHeading(line) {
		const blobs = INDEX.exec(line)?.[1];
		const hunk = HUNK.exec(line);
		if (blobs !== void 0) {
			this.#store();
			this.#current = blobs;
			this.#hunks = [];
		} else if (line.startsWith("Binary files ")) this.#hunks = null;
		else if (hunk !== null) this.#addHunk(hunk);
	}
	#addHunk([, old, oldCount = "1", now, newCount = "1"]) {
		const [oldLines, newLines] = [Number(oldCount), Number(newCount)];
		this.#body = oldLines + newLines;
		this.#count += 1;
		const hunk = [
			Number(old) + (oldLines === 0 ? 1 : 0),
			oldLines,
			Number(now) + (newLines === 0 ? 1 : 0),
			newLines
		];
		this.#hunks?.push(hunk);
	}
};

// action/src/change/raw-files.ts
const HEAD = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/;
const GITLINK = "160000";
const LINK = "120000";
const KINDS = {
	A: "added",
	D: "removed",
	M: "modified",
	T: "modified",
	R: "renamed"
};
function parseRawFiles(text) {
	const parts = text.split("\0");
	parts.pop();
	const files = [];
	for (let at = 0; at < parts.length;) {
		const head = HEAD.exec(parts[at]);
		if (head === null) break;
		const names = head[5] === "R" ? 2 : 1;
		if (at + names >= parts.length) break;
		const file = toRawFile(head, parts.slice(at + 1, at + 1 + names));
		if (file !== void 0) files.push(file);
		at += 1 + names;
	}
	return files;
}
function toRawFile([, oldMode = "", newMode = "", old = "", now = "", status = ""], names) {
	const modes = [oldMode, newMode];
	const kind = kindOf(status, modes);
	const name = names.at(-1);
	if (kind === void 0 || name === void 0) return void 0;
	const isPlain = status !== "T" && !modes.includes(LINK);
	return {
		name,
		...kind === "renamed" ? { previous_name: names[0] } : {},
		kind,
		blobs: isPlain ? `${old}..${now}` : void 0,
		sameText: isPlain && old === now
	};
}
function kindOf(status, [oldMode, newMode]) {
	if (status !== "T" && (oldMode === LINK || newMode === LINK)) return void 0;
	if (newMode === GITLINK) return status === "T" ? "removed" : void 0;
	if (oldMode === GITLINK) return status === "T" ? "added" : void 0;
	return KINDS[status];
}

// action/src/change/diff-git.ts
const MAX_NAME_BYTES = 16 << 20;
const MAX_PATCH_BYTES = 256 << 20;
const FETCH = [
	"fetch",
	"--quiet",
	"--no-tags",
	"--depth=1",
	"--no-write-fetch-head",
	"--no-recurse-submodules",
	"--refmap="
];
const DIFF_TREE = [
	"diff-tree",
	"-r",
	"-M",
	"-l1000",
	"--inter-hunk-context=0",
	"--no-ext-diff",
	"--no-textconv",
	"--no-color"
];
function createDiffGit(folder, signal) {
	const { reading, root } = folder;
	const ask = async (start, ...args) => {
		const pieces = [];
		const onOutput = (piece) => pieces.push(piece) < 100;
		return await runGit({
			start,
			args,
			signal,
			onOutput
		}) === "done" ? Buffer.concat(pieces).toString("utf8").trim() : void 0;
	};
	const diff = async (args, onOutput) => {
		const start = folder.isPartial ? await folder.fetching(signal) : reading;
		return runGit({
			start: {
				...start,
				env: {
					...start.env,
					GIT_WORK_TREE: root
				}
			},
			args: [
				"-C",
				root,
				...DIFF_TREE,
				...args
			],
			signal,
			onOutput
		});
	};
	return {
		async mergeBase(one, other) {
			const found = isSha(one) && isSha(other) ? await ask(reading, "merge-base", one, other) : void 0;
			return found !== void 0 && isSha(found) ? found : void 0;
		},
		async fetchCommit(commit) {
			if (isSha(commit)) await ask(await folder.fetching(signal), ...FETCH, REMOTE, commit);
		},
		async listFiles(base, head) {
			const pieces = [];
			let size = 0;
			const ending = await diff([
				"--raw",
				"-z",
				"--no-abbrev",
				base,
				head
			], (piece) => {
				pieces.push(piece);
				size += piece.length;
				return size <= MAX_NAME_BYTES;
			});
			if (ending === "failed") return void 0;
			return {
				files: parseRawFiles(Buffer.concat(pieces).toString("utf8")),
				complete: ending === "done"
			};
		},
		async readHunks(base, head, limit) {
			const reader = new HunkReader(limit);
			let size = 0;
			const ending = await diff([
				"-p",
				"-U0",
				"--full-index",
				base,
				head
			], (piece) => {
				size += piece.length;
				return reader.read(piece) && size <= MAX_PATCH_BYTES;
			});
			if (ending === "failed") return void 0;
			return {
				hunks: reader.finish(ending === "done"),
				complete: ending === "done"
			};
		}
	};
}
const GRACE_MS = 1e3;
function runGit({ start, args, signal, onOutput }) {
	if (signal.aborted) return Promise.resolve("failed");
	const { promise, resolve } = Promise.withResolvers();
	const isWindows = process.platform === "win32";
	const child = spawn(start.command, args, {
		stdio: [
			"ignore",
			"pipe",
			"ignore"
		],
		cwd: start.folder,
		env: start.env,
		windowsHide: true,
		detached: !isWindows
	});
	const end = (ending) => {
		signal.removeEventListener("abort", onAbort);
		child.stdout.destroy();
		if (child.exitCode === null && child.signalCode === null) stop(child, isWindows);
		resolve(ending);
	};
	const onAbort = () => end("failed");
	signal.addEventListener("abort", onAbort, { once: true });
	child.stdout.on("data", (piece) => {
		if (!onOutput(piece)) end("enough");
	});
	child.once("error", () => end("failed"));
	child.once("close", (code) => end(code === 0 ? "done" : "failed"));
	return promise;
}
function stop(child, isWindows) {
	const { pid } = child;
	if (isWindows || pid === void 0) {
		child.unref();
		return;
	}
	const kill = (name) => {
		try {
			process.kill(-pid, name);
		} catch {}
	};
	kill("SIGTERM");
	const timer = setTimeout(() => kill("SIGKILL"), GRACE_MS);
	child.once("exit", () => clearTimeout(timer));
}

// action/src/change/read-change.ts
const LIMITS$1 = {
	files: 5e3,
	hunks: 5e4,
	newLines: 2e6,
	timeMs: 1e4
};
const MAX_FILE_LINES = 2 ** 24;
async function readChange(tested, tools) {
	const { log, limits = LIMITS$1 } = tools;
	const timeUp = AbortSignal.timeout(limits.timeMs);
	const found = await tryToRead(tested, {
		...tools,
		limits
	}, timeUp).catch((error) => ({ reason: String(error) }));
	if ("reason" in found) {
		logUnsent(log, timeUp.aborted ? `git took longer than ${limits.timeMs / 1e3} s` : found.reason);
		return;
	}
	log.info(linesSent(found.files.length, {
		isComplete: found.complete,
		base: found.base_sha
	}));
	return found;
}
function logUnsent(log, reason) {
	log.info(`Changed lines are not sent with this upload, because ${reason}.`);
}
async function tryToRead(tested, tools, signal) {
	const { root, head } = tested;
	const { limits, folders } = tools;
	const folder = await folders.at(root, signal);
	if (folder === void 0) return { reason: `nothing is checked out and ${head} was tested` };
	const clone = {
		git: createGit(folders, signal),
		folder,
		diffGit: createDiffGit(folder, signal)
	};
	const { base, reason } = await findBase(tested, clone);
	if (base === void 0) return { reason };
	const isHeld = await clone.git.hasCommit(root, base);
	if (!isHeld && !await obtain(base, clone)) return { reason: `the clone does not hold ${base}, and could not get it` };
	const compare = () => compareTrees({
		base,
		head
	}, {
		...clone,
		limits
	});
	const compared = await compare();
	return (compared === void 0 && isHeld && await obtain(base, clone) ? await compare() : compared) ?? { reason: `git could not compare ${base} with ${head}` };
}
async function compareTrees({ base, head }, { folder, diffGit, limits }) {
	const listed = await diffGit.listFiles(base, head);
	if (listed === void 0) return void 0;
	const isTooLong = listed.files.length > limits.files;
	if (isTooLong && folder.isPartial) return { reason: tooManyToFetch(limits.files) };
	const read = await diffGit.readHunks(base, head, limits.hunks);
	if (read === void 0) return void 0;
	return {
		base_sha: base,
		head_sha: head,
		files: leaveOutLong(listed.files.slice(0, limits.files).map((file) => toDiffFile(file, read.hunks)), limits.newLines),
		complete: listed.complete && read.complete && !isTooLong
	};
}
async function obtain(commit, { git, folder, diffGit }) {
	if (!folder.isShallow || !folder.canFetch) return false;
	await diffGit.fetchCommit(commit);
	return git.hasCommit(folder.root, commit);
}
function toDiffFile({ name, previous_name, kind, blobs, sameText }, hunks) {
	const found = sameText ? [] : blobs === void 0 ? null : hunks.get(blobs) ?? null;
	return {
		name,
		...previous_name === void 0 ? {} : { previous_name },
		kind,
		hunks: found
	};
}
function leaveOutLong(files, newLines) {
	let left = newLines;
	return files.map((file) => {
		const hunks = file.hunks ?? [];
		const added = file.kind === "added" || file.kind === "removed" ? 0 : hunks.reduce((sum, [, , , lines]) => sum + lines, 0);
		if (hunks.some(([old, oldLines, now, lines]) => Math.max(old + oldLines, now + lines) - 1 > MAX_FILE_LINES) || added > left) return {
			...file,
			hunks: null
		};
		left -= added;
		return file;
	});
}
function linesSent(files, { isComplete, base }) {
	return `The line numbers of ${`${counted(files, "changed file")}${isComplete ? "" : " (not all)"}`} since ${base} are sent with this upload.`;
}
function tooManyToFetch(files) {
	return `the clone is partial and would have to get more than ${files} changed files`;
}
const SHALLOW_CLONE = "the clone is shallow and where the pull request began is not in it: give actions/checkout \"fetch-depth: 0\"";
async function findBase({ root, head, facts }, { git, folder, diffGit }) {
	if (folder.headSha !== head) return { reason: `${folder.headSha ?? "nothing"} is checked out and ${head} was tested` };
	const parents = (await git.readCommit(root, head))?.parents ?? [];
	const [first] = parents;
	if (head !== facts.headSha && parents.length === 2 && parents[1] === facts.headSha && first !== void 0) return { base: first };
	const isPullRequest = facts.pullRequest !== "";
	if (isPullRequest && facts.baseSha !== "") return findMergeBase({
		root,
		head,
		facts
	}, {
		git,
		folder,
		diffGit
	});
	const base = (isPullRequest ? "" : facts.baseSha || facts.pushedFrom) || first;
	return base === void 0 ? { reason: `${head} has no parent` } : { base };
}
async function findMergeBase({ root, head, facts }, { git, folder, diffGit }) {
	if (folder.isShallow) return { reason: SHALLOW_CLONE };
	const base = await git.hasCommit(root, facts.baseSha) ? await diffGit.mergeBase(facts.baseSha, head) : void 0;
	return base === void 0 ? { reason: `the clone does not tell where ${head} left ${facts.baseSha}` } : { base };
}

// shared/src/coverage-file/form.ts
const onOff = { kind: "switch" };
const percent = {
	kind: "percent",
	unit: "%"
};
const points = {
	kind: "percent",
	unit: "points"
};
const day = { kind: "day" };
function whole(min, max) {
	return {
		kind: "whole",
		min,
		max
	};
}
function text(max, said, pattern) {
	return {
		kind: "text",
		max,
		said,
		...pattern !== void 0 && { pattern }
	};
}
function oneWord(...words) {
	return {
		kind: "word",
		words
	};
}
function list(of, max, said) {
	return {
		kind: "list",
		of,
		max,
		said
	};
}
function named(of, max, said) {
	return {
		kind: "named",
		of,
		max,
		said
	};
}
function map(keys) {
	return {
		kind: "map",
		keys
	};
}
function mapOrOff(keys) {
	return {
		kind: "map",
		keys,
		canBeOff: true
	};
}
function either(one, other) {
	return {
		kind: "either",
		forms: [one, other]
	};
}
function key(form, help, mistaken = []) {
	return {
		form,
		help,
		mistaken
	};
}

// shared/src/coverage-file/declaration.ts
const FILE_PLACES = [".github/coverage.yml", ".coverage-service.yml"];
const MAX_FILE_BYTES = 65536;
const MAX_GROUPS = 100;
const PATTERNS = list(text(500, "a pattern of at most 500 characters"), 500, "a list of patterns, at most 500");
const informational = key(onOff, "The result is shown, and never fails.", ["advisory"]);
const until = key(day, "Informational until this day begins (UTC). Afterwards the rule decides.", ["informational_until"]);
const off = key(onOff, "Not judged. The same as the word `off` in place of the rule.", ["enabled", "disabled"]);
const drop = key(points, "How many percentage points it may fall below the base.", ["threshold", "allowed_drop"]);
const RULE$1 = {
	minimum: key(percent, "What must be covered at least.", [
		"target",
		"min",
		"fail_under"
	]),
	drop,
	informational,
	until,
	off
};
const TOTAL_RULE = mapOrOff(RULE$1);
const CHANGES_RULE = mapOrOff({
	...RULE$1,
	minimum: key(either(percent, oneWord("base")), "What must be covered of the changed lines at least. `base`: as much as the total of the base.", ["target", "min"]),
	drop: key(points, "With `minimum: base`: how many points the changed lines may be below the total of the base.", ["threshold"])
});
const FLAG$1 = mapOrOff({
	...RULE$1,
	carry: key(onOff, "Take the newest earlier report of this flag into builds that have none of it.", ["carryforward"]),
	paths: key(PATTERNS, "The files that count of this flag’s reports. Without it, all."),
	uploads: key(whole(1, 1e3), "How many uploads of this flag a build has. With fewer the build is incomplete.", ["after_n_builds"]),
	changes: key(CHANGES_RULE, "Rules for the changed lines, by this flag’s reports alone.", ["patch"])
});
const GROUP = map({
	id: key(text(64, "at most 64 of the characters a-z, 0-9, `.`, `_` and `-`", /^[a-z0-9._-]{1,64}$/), "What addresses call it. Without it, the name in lower case, with `-` in place of other characters.", ["component_id"]),
	name: key(text(60, "a text of at most 60 characters"), "What it is called. With `each`, `{1}` stands for what the `*` found. Not needed with `owner` and `each`."),
	paths: key(PATTERNS, "Its files. The last pattern that fits decides; one that begins with `!` takes out.", ["files"]),
	each: key(text(500, "a pattern with one `*`", /^[^*]*\*[^*]*$/), "A group for each folder that the pattern finds, such as `packages/*`. At most 500 groups."),
	owner: key(text(200, "an owner as CODEOWNERS names it"), "Its files are those that CODEOWNERS gives to this owner, such as `@acme/backend`.", ["owners", "team"]),
	flags: key(list(text(200, "the name of a flag"), 50, "a list of names of flags, at most 50"), "Only what the reports of these flags cover. Without it, all.", ["flag_regexes"]),
	total: key(TOTAL_RULE, "Rules for its total.", ["coverage"]),
	changes: key(CHANGES_RULE, "Rules for the changed lines in its files.", ["patch"]),
	informational,
	until,
	untouched: key(oneWord("pass", "judge"), "`pass` (the default): it passes where the change touches none of its files. `judge`: its rules always decide."),
	status: key(onOff, "Give it a commit status of its own. At most 20 groups have one.", ["statuses"])
});
const COVERAGE_FILE = map({
	version: key(whole(1, 1), "The version of this format: 1."),
	ignore: key(PATTERNS, "Files that do not count. The last pattern that fits decides; `!` makes an exception.", ["exclude"]),
	paths: key(named(text(500, "a folder of the repo"), 100, "a map of at most 100 beginnings of names to folders of the repo"), "What names in reports begin with, and the folder of the repo that it stands for.", ["fixes"]),
	uploads: key(either(whole(1, 1e3), oneWord("run")), "How many uploads a build has: no verdict before the last. `run` (the default): the end of the run.", ["after_n_builds", "expected_jobs"]),
	total: key(mapOrOff({
		...RULE$1,
		ratchet: key(map({ tolerance: key(points, "How many points below the best total a build may be. 0 without it.") }), "The minimum rises with the total: the best total of the default branch that stood for 3 builds in the last 90 days.")
	}), "Rules for the total of a build.", ["project", "coverage"]),
	changes: key(CHANGES_RULE, "Rules for the changed lines.", ["patch"]),
	elsewhere: key(oneWord("off", "show", "fail"), "Lines that the change leaves as they are and that lost coverage: not listed, listed, or a failure."),
	flags: key(named(FLAG$1, 500, "a map of names of flags, at most 500"), "Rules for flags, by their names.", ["flag_management"]),
	groups: key(list(GROUP, 100, "a list of at most 100 groups"), "Parts of the repo with their own numbers.", ["components", "component_management"]),
	owners: key(onOff, "Show the numbers by owner, as CODEOWNERS of the base commit names them.", ["codeowners"]),
	untouched: key(oneWord("pass", "judge"), "What all groups do where the change touches none of their files, unless a group says otherwise."),
	branches: key(PATTERNS, "Base branches whose pull requests are judged. On others everything is informational."),
	comment: key(oneWord("off", "always", "on-change", "on-drop", "on-missed"), "When there is a comment: never; always; when coverage changes or a check fails; when it falls or a check fails; when a changed line is missed or a check fails."),
	annotations: key(onOff, "Mark missed changed lines beside the code, where the host can do so.", ["github_checks"]),
	informational: key(onOff, "Everything is shown, and nothing fails."),
	ignore_removed_code: key(onOff, "Let a drop pass that only removed code causes.", ["removed_code_behavior"]),
	ignore_untouched_files: key(onOff, "Let a drop pass that only files outside the change cause."),
	ignore_unstable_lines: key(onOff, "Let a drop pass that only lines that flip without a change cause.")
});

// action/src/change/read-rules.ts
async function readRules({ root, head }, { log, folders }) {
	const folder = await folders.at(root);
	if (folder === void 0 || head === void 0 || folder.headSha !== head) return void 0;
	const found = await readFirst(folder, {
		tree: head,
		paths: FILE_PLACES
	});
	const bytes = found ? Buffer.byteLength(found.text) : 0;
	if (bytes <= 65536) return found;
	log.warning(`${found?.path} has ${byteText(bytes)} and is not sent: at most ${byteText(MAX_FILE_BYTES)} are read. Shorten it.`);
}
async function readFirst({ reading }, { tree, paths }, signal) {
	for (const path of paths) {
		const listed = await runText(reading, [
			"ls-tree",
			tree,
			"--",
			path
		], signal);
		if (listed === void 0) return void 0;
		if (!listed.startsWith("100")) continue;
		const text = await runText(reading, [
			"cat-file",
			"blob",
			`${tree}:${path}`
		], signal);
		return text === void 0 ? void 0 : {
			path,
			text
		};
	}
	return null;
}

// action/src/context/tested.ts
const SAY_OTHERWISE = "If another commit was tested, name it with git-commit.";
async function findTested(runner, { gitCommit }, git) {
	const facts = describeEvent(runner);
	const known = [
		facts.headSha,
		runner.sha,
		facts.baseSha
	];
	const given = await completeSha(gitCommit, {
		workspace: runner.workspace,
		known
	}, git) || gitCommit;
	const ofEvent = {
		facts,
		given,
		mergeSha: "",
		warning: ""
	};
	const { eventName, event, workspace } = runner;
	const isOfCheckout = ["pull_request_target", "issue_comment"].includes(eventName);
	if (!isOfCheckout && event.workflow_run === void 0) return {
		...ofEvent,
		mergeSha: await findMerge(runner, facts, git)
	};
	const head = given || await git.headSha(workspace);
	const commit = head === void 0 ? void 0 : await git.readCommit(workspace, head);
	if (!isOfCheckout) return head === void 0 || given !== "" || isCommitOf(facts.headSha, {
		head,
		commit
	}) ? ofEvent : {
		...ofEvent,
		warning: ranAfter({
			head,
			taken: facts.headSha
		})
	};
	const seen = head === void 0 ? ofNothing(runner, facts) : ofCheckout(runner, facts, {
		head,
		commit
	});
	return {
		...ofEvent,
		...seen,
		...given !== "" && { warning: "" }
	};
}
async function completeSha(start, { workspace, known }, git) {
	if (start.length === 40 || start.length === 64) return start;
	return start === "" ? void 0 : known.find((sha) => sha.startsWith(start)) ?? await git.completeSha(workspace, start);
}
async function findMerge(runner, facts, git) {
	if (!facts.testsMerge) return "";
	return await git.headSha(runner.workspace) === facts.headSha ? "" : runner.sha;
}
function ofCheckout(runner, facts, { head, commit }) {
	const pullRequest = facts.pullRequest || pullOfComment(runner);
	if (isCommitOf(facts.headSha, {
		head,
		commit
	}) && facts.pullRequest !== "") return {
		facts,
		mergeSha: head === facts.headSha ? "" : head,
		warning: ""
	};
	if (head === runner.sha) {
		const onBranch = {
			...ofCommit(facts, head),
			branch: branchOf({
				...runner,
				headRef: ""
			})
		};
		return {
			facts: onBranch,
			mergeSha: "",
			warning: pullRequest === "" ? "" : nothingOfPull({
				head,
				branch: onBranch.branch,
				pullRequest
			})
		};
	}
	const tested = mergedHead(commit) ?? head;
	const isNamed = facts.pullRequest !== "" || pullRequest === "";
	const place = facts.pullRequest === "" ? {} : {
		branch: facts.branch,
		baseBranch: facts.baseBranch
	};
	const found = {
		...ofCommit(facts, tested),
		...place,
		pullRequest
	};
	const warning = isNamed ? otherThanEvent({
		head,
		named: facts.headSha,
		pullRequest
	}) : "";
	return {
		facts: found,
		mergeSha: tested === head ? "" : head,
		warning
	};
}
function ofNothing(runner, facts) {
	const { headSha: taken, pullRequest } = facts;
	if (pullRequest !== "" || pullOfComment(runner) === "") return {
		facts,
		mergeSha: "",
		warning: pullRequest === "" ? "" : eventTaken({
			taken,
			pullRequest
		})
	};
	return {
		facts: ofCommit(facts, taken),
		mergeSha: "",
		warning: commitTaken(taken)
	};
}
function ofCommit(facts, headSha) {
	return {
		branch: "",
		pullRequest: "",
		baseBranch: "",
		baseSha: "",
		pushedFrom: "",
		testsMerge: false,
		headSha,
		commit: headSha === facts.headSha ? facts.commit : { message: "" }
	};
}
function isCommitOf(headSha, { head, commit }) {
	return head === headSha || commit?.parents.length === 2 && commit.parents[1] === headSha;
}
function mergedHead(commit) {
	const [, head, base] = /^Merge ([0-9a-f]{40,64}) into ([0-9a-f]{40,64})/.exec(commit?.message ?? "") ?? [];
	const [first, second] = commit?.parents ?? [];
	return head !== void 0 && head === second && base === first ? head : void 0;
}
function pullOfComment({ event: { issue } }) {
	return issue?.pull_request === void 0 ? "" : String(issue.number ?? "");
}
function ranAfter({ head, taken }) {
	return `The run that this one follows is for commit ${taken}, but ${head} is checked out: the upload counts for ${taken}. Check out that commit, so that names and changed lines match the tests.`;
}
function nothingOfPull({ head, branch, pullRequest }) {
	return `The event is about pull request ${pullRequest}, but the checkout is ${head} of ${branch}, which has none of its commits: the upload counts for that commit of ${branch}, not for the pull request. Check out the pull request, or name its commit with git-commit.`;
}
function otherThanEvent({ head, named, pullRequest }) {
	return `The event is about commit ${named}${pullRequest === "" ? "" : ` of pull request ${pullRequest}`}, but ${head} is checked out: the upload counts for what is checked out. If another commit was tested, name it with git-commit.`;
}
function eventTaken({ taken, pullRequest }) {
	return `git knows no checkout here, so that nothing says which commit was tested: the upload counts for ${taken}, which the event names as the head of pull request ${pullRequest}. ${SAY_OTHERWISE}`;
}
function commitTaken(taken) {
	return `git knows no checkout here, so that nothing says which commit was tested: the upload counts for ${taken}, the commit of this run, and for no branch or pull request. ${SAY_OTHERWISE}`;
}

// action/src/context/github.ts
async function readBuildContext(runner, inputs, git, tested) {
	const { facts, given, mergeSha: testedSha } = tested ?? await findTested(runner, inputs, git);
	const commitSha = given || facts.headSha;
	const known = {
		workspace: runner.workspace,
		known: [
			facts.headSha,
			runner.sha,
			facts.baseSha
		]
	};
	const compareSha = await completeSha(inputs.compareSha, known, git) ?? inputs.compareSha;
	const branch = inputs.gitBranch || facts.branch;
	const baseSha = await findBaseSha(runner, {
		facts,
		testedSha
	}, git);
	const runUrl = runner.runId && `${runner.serverUrl}/${runner.repository}/actions/runs/${runner.runId}`;
	return {
		service_name: "github",
		git: await readGitInfo(runner, {
			facts,
			commitSha,
			branch
		}, git),
		...stated({
			repo_name: runner.repository,
			service_number: inputs.buildNumber || runner.runId,
			service_job_id: [runner.runId, runner.job].filter(Boolean).join("-"),
			service_pull_request: inputs.pullRequest || facts.pullRequest,
			service_branch: branch,
			service_build_url: runUrl,
			service_job_url: runUrl,
			service_event_type: runner.eventName,
			service_base_branch: facts.baseBranch,
			service_base_sha: baseSha,
			service_tested_sha: testedSha === commitSha ? "" : testedSha,
			commit_sha: commitSha,
			flag_name: inputs.flagName,
			compare_ref: inputs.compareRef,
			compare_sha: compareSha
		}),
		service_job_number: jobNumber(inputs),
		.../^\d+$/.test(runner.runAttempt) ? { service_attempt: Number(runner.runAttempt) } : {}
	};
}
function jobNumber({ matrix, files, flagName, basePath }) {
	return hash("sha256", JSON.stringify([
		matrix.trim(),
		files,
		flagName,
		basePath
	])).slice(0, 16);
}
async function findBaseSha(runner, { facts, testedSha }, git) {
	const merge = testedSha === "" ? void 0 : await git.readCommit(runner.workspace, testedSha);
	return merge?.parents.length === 2 && merge.parents[1] === facts.headSha ? merge.parents[0] : facts.baseSha;
}
async function readGitInfo(runner, { facts, commitSha, branch }, git) {
	const commit = await git.readCommit(runner.workspace, commitSha) ?? (commitSha === facts.headSha ? facts.commit : { message: "" });
	const remotes = await git.remotes(runner.workspace);
	return {
		head: stated({
			id: commitSha,
			author_name: commit.authorName,
			author_email: commit.authorEmail,
			committer_name: commit.committerName,
			committer_email: commit.committerEmail,
			message: commit.message
		}),
		...stated({ branch }),
		...remotes.length === 0 ? {} : { remotes }
	};
}
function stated(values) {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== void 0 && value !== ""));
}

// action/src/formats/number-column.ts
const FIRST_CAPACITY$1 = 256;
const LARGEST_SMALL = 2147483647;
const NO_VALUES = /* @__PURE__ */ new Int32Array(0);
var NumberColumn = class {
	#values = new Int32Array(FIRST_CAPACITY$1);
	#length = 0;
	get length() {
		return this.#length;
	}
	get values() {
		return this.#values;
	}
	get small() {
		return this.#values instanceof Int32Array ? this.#values : NO_VALUES;
	}
	get bytes() {
		return this.#values.byteLength;
	}
	reserve(length) {
		if (length > this.#values.length) this.#grow(length);
	}
	at(index) {
		return index < this.#length ? this.#values[index] : 0;
	}
	set(index, value) {
		if (index >= this.#length) this.#reach(index + 1);
		if (value > 2147483647) this.#widen();
		this.#values[index] = value;
	}
	pushFour(a, b, c, d) {
		const at = this.#length;
		this.#reach(at + 4);
		if (a > 2147483647 || b > 2147483647 || c > 2147483647 || d > 2147483647) this.#widen();
		const values = this.#values;
		values[at] = a;
		values[at + 1] = b;
		values[at + 2] = c;
		values[at + 3] = d;
	}
	clear() {
		this.#values.fill(0, 0, this.#length);
		this.#length = 0;
	}
	reach(length) {
		if (length > this.#length) this.#length = length;
	}
	#reach(length) {
		if (length > this.#values.length) this.#grow(length);
		this.#length = length;
	}
	#grow(length) {
		const capacity = Math.max(length, this.#values.length * 2);
		const larger = this.#values instanceof Int32Array ? new Int32Array(capacity) : new Float64Array(capacity);
		larger.set(this.#values);
		this.#values = larger;
	}
	#widen() {
		if (this.#values instanceof Int32Array) this.#values = Float64Array.from(this.#values);
	}
};

// action/src/formats/arm-counts.ts
var ArmCounts = class {
	#covered = new NumberColumn();
	#all = new NumberColumn();
	raise(line, covered, all) {
		this.#covered.set(line, Math.max(this.#covered.at(line), covered));
		this.#all.set(line, Math.max(this.#all.at(line), all));
	}
	moveTo(file) {
		for (let line = 1; line < this.#all.length; line += 1) addArms(file, line, this.#covered.at(line), this.#all.at(line));
		this.forget();
	}
	forget() {
		this.#covered.clear();
		this.#all.clear();
	}
};
function addArms(file, line, covered, all) {
	for (let arm = 0; arm < all; arm += 1) file.addBranch(line, 0, arm, arm < covered ? 1 : 0);
}

// action/src/formats/coverage-format.ts
const LONGEST_SHOWN = 80;
function expectedForm(form, found) {
	return `expected ${form}, got ${found === void 0 ? "nothing" : shown$1(found)}`;
}
function expectedLinesTo(max, found) {
	return `expected line numbers up to ${max}, got ${shown$1(found)}`;
}
function expectedBefore(form, record) {
	return `expected ${form} before ${record}`;
}
function wrongRoot(name, expected = "coverage") {
	return `expected <${expected}>, got <${name}>`;
}
function negativeHits(path, { count, first }) {
	const where = first === void 0 ? "" : `, the first at line ${first}`;
	return `${path}: ${counted(count, "negative hit count")} taken as 0${where}`;
}
function lineZeroLeftOut(path, { count, what }) {
	return `${path}: ${counted(count, what)} for line 0 left out: there is no such line`;
}
function shown$1(text) {
	return JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
}

// action/src/formats/hits-text.ts
const MAX_HITS = Number.MAX_SAFE_INTEGER;
const INTEGER_OR_EXPONENT = /^([+-]?)(\d+(?:\.\d*)?(?:[eE][+]?\d+)?)$/;
function readHits(text) {
	const match = INTEGER_OR_EXPONENT.exec(text.trim());
	if (match === null) return void 0;
	const value = Number(match[2]);
	const negative = match[1] === "-" && value > 0;
	return {
		hits: negative ? 0 : Math.min(Math.floor(value), MAX_HITS),
		negative
	};
}
function addHits(a, b) {
	return Math.min(a + b, MAX_HITS);
}

// action/src/formats/branch-column.ts
const WIDTH$2 = 4;
const FIRST_JOIN = 1024;
var BranchColumn = class {
	#groups = new NumberColumn();
	#joined = 0;
	#next = 0;
	get bytes() {
		return this.#groups.bytes;
	}
	get groups() {
		return this.#groups;
	}
	get room() {
		return Math.min(this.#groups.small.length - 4 + 1, Math.max(FIRST_JOIN, this.#joined * 2));
	}
	add(line, block, branch, hits) {
		if (this.#addToNext(line, block, branch, hits)) return;
		if (this.#groups.length >= Math.max(FIRST_JOIN, this.#joined * 2)) this.#join();
		this.#groups.pushFour(line, block, branch, hits);
	}
	each(visit) {
		const { values, length } = this.joined();
		for (let at = 0; at < length; at += 4) visit(values[at], values[at + 1], values[at + 2], values[at + 3]);
	}
	joined() {
		this.#join();
		return this.#groups;
	}
	clear() {
		this.#groups.clear();
		this.#joined = 0;
		this.#next = 0;
	}
	#addToNext(line, block, branch, hits) {
		if (this.#joined === 0) return false;
		if (this.#next >= this.#joined) this.#next = 0;
		const { values } = this.#groups;
		const at = this.#next;
		if (values[at] !== line || values[at + 1] !== block || values[at + 2] !== branch) return false;
		const sum = values[at + 3] + hits;
		if (sum <= 2147483647) values[at + 3] = sum;
		else this.#groups.set(at + 3, Math.min(sum, MAX_HITS));
		this.#next = at + 4;
		return true;
	}
	#join() {
		if (this.#groups.length === this.#joined) return;
		if (!isInOrder(this.#groups)) this.#groups = joined$2(this.#groups);
		this.#joined = this.#groups.length;
	}
};
function isInOrder({ values, length }) {
	for (let at = 4; at < length; at += 4) if (compareKeys(values, at - 4, at) >= 0) return false;
	return true;
}
function joined$2(groups) {
	const starts = Uint32Array.from({ length: groups.length / 4 }, (_, index) => index * 4);
	starts.sort((a, b) => compareKeys(groups.values, a, b));
	const result = new NumberColumn();
	let previous = -1;
	for (const start of starts) {
		const hits = groups.at(start + 3);
		if (previous >= 0 && compareKeys(groups.values, previous, start) === 0) result.set(result.length - 1, addHits(result.at(result.length - 1), hits));
		else result.pushFour(groups.at(start), groups.at(start + 1), groups.at(start + 2), hits);
		previous = start;
	}
	return result;
}
function compareKeys(groups, a, b) {
	return groups[a] - groups[b] || groups[a + 1] - groups[b + 1] || groups[a + 2] - groups[b + 2];
}

// action/src/formats/packed-numbers.ts
const FIRST_CAPACITY = 4096;
const LONGEST_NUMBER = 9;
const FLAG = 64;
const MORE = 128;
const ESCAPE = 255;
const LONGEST_PLAIN = 65536;
const MAX_ZEROS = .75;
var PackedWriter = class {
	#bytes = new Uint8Array(FIRST_CAPACITY);
	#block = { bytes: this.#bytes };
	#end = 0;
	get place() {
		return {
			block: this.#block,
			at: this.#end
		};
	}
	write(value, flag = false) {
		if (this.#end + LONGEST_NUMBER > this.#bytes.length) this.#grow();
		const mark = flag ? FLAG : 0;
		if (value < FLAG) this.#bytes[this.#end++] = value | mark;
		else this.#writeLong(value, mark);
	}
	writeColumn(values, length) {
		const start = this.#end;
		this.write(length, true);
		if (length <= LONGEST_PLAIN && this.#writeBytes(values, length)) return;
		this.#end = start;
		this.write(length);
		this.#writeRuns(values, length);
	}
	#writeBytes(values, length) {
		while (this.#end + length > this.#bytes.length) this.#grow();
		const bytes = this.#bytes;
		const start = this.#end;
		let zeros = 0;
		let isAll = true;
		for (let at = 0; at < length; at += 1) {
			const value = values[at];
			if (value === 0) zeros += 1;
			if (value < 255) bytes[start + at] = value;
			else {
				bytes[start + at] = 255;
				isAll = false;
			}
		}
		this.#end = start + length;
		if (zeros > length * MAX_ZEROS) return false;
		if (!isAll) {
			for (let at = 0; at < length; at += 1) if (values[at] >= 255) this.write(values[at]);
		}
		return true;
	}
	#writeRuns(values, length) {
		for (let at = 0; at < length;) {
			if (this.#end + LONGEST_NUMBER > this.#bytes.length) this.#grow();
			const bytes = this.#bytes;
			let end = this.#end;
			const last = Math.min(length - 1, at + bytes.length - end - LONGEST_NUMBER);
			for (; at < last; at += 1) {
				const value = values[at];
				if (value >= FLAG || value === values[at + 1]) break;
				bytes[end++] = value;
			}
			this.#end = end;
			const value = values[at];
			const start = at;
			do
				at += 1;
			while (at < length && values[at] === value);
			const more = at - start - 1;
			this.write(value, more > 0);
			if (more > 0) this.write(more);
		}
	}
	endBlock() {
		this.#block.bytes = this.#bytes.slice(0, this.#end);
		this.#block = { bytes: this.#bytes };
		this.#end = 0;
	}
	#writeLong(value, mark) {
		this.#bytes[this.#end++] = value % FLAG + mark + MORE;
		let rest = Math.floor(value / FLAG);
		for (; rest >= MORE; rest = Math.floor(rest / MORE)) this.#bytes[this.#end++] = rest % MORE + MORE;
		this.#bytes[this.#end++] = rest;
	}
	#grow() {
		const larger = new Uint8Array(this.#bytes.length * 2);
		larger.set(this.#bytes);
		this.#bytes = larger;
	}
};
var PackedReader = class {
	flag = false;
	#bytes;
	#at;
	constructor({ bytes }, at) {
		this.#bytes = bytes;
		this.#at = at;
	}
	readBytes(length) {
		this.#at += length;
		return this.#bytes.subarray(this.#at - length, this.#at);
	}
	read() {
		let byte = this.#bytes[this.#at++];
		this.flag = (byte & FLAG) > 0;
		let value = byte & 63;
		for (let scale = FLAG; byte >= MORE; scale *= MORE) {
			byte = this.#bytes[this.#at++];
			value += (byte & 127) * scale;
		}
		return value;
	}
};

// action/src/formats/packed-hits.ts
function packLines(lines, writer) {
	writer.writeColumn(lines.values, lines.length);
}
function packBranches(branches, writer) {
	let lastLine = 0;
	let lastBlock = -1;
	let lastBranch = -1;
	const { values, length } = branches.joined();
	writer.write(length / 4);
	for (let at = 0; at < length; at += 4) {
		const line = values[at];
		const block = values[at + 1];
		const branch = values[at + 2];
		const hits = values[at + 3];
		const isNext = line === lastLine && block === lastBlock && branch === lastBranch + 1;
		writer.write(hits, !isNext);
		if (!isNext) {
			writer.write(line - lastLine);
			writer.write(block);
			writer.write(branch);
		}
		lastLine = line;
		lastBlock = block;
		lastBranch = branch;
	}
}
function readLength({ block, at }) {
	return new PackedReader(block, at).read();
}
function readLines$6({ block, at }, visit) {
	passLines(new PackedReader(block, at), visit);
}
function addLines(place, column, addOne) {
	const reader = new PackedReader(place.block, place.at);
	const length = reader.read();
	if (!reader.flag) {
		readLines$6(place, addOne);
		return;
	}
	const bytes = reader.readBytes(length);
	column.reserve(length);
	let sums = column.small;
	for (let index = 0; index < length; index += 1) {
		const byte = bytes[index];
		if (byte === 0) continue;
		const value = byte === 255 ? reader.read() : byte;
		const before = sums[index];
		const sum = before === 0 ? value : before + value - 1;
		if (sum <= 2147483647) sums[index] = sum;
		else {
			column.reach(index);
			addOne(index + 1, value - 1);
			sums = column.small;
		}
	}
	column.reach(length);
}
function readBranches$2({ block, at }, visit) {
	const reader = new PackedReader(block, at);
	passLines(reader);
	let [line, ofLine, branch] = [
		0,
		0,
		0
	];
	for (let left = reader.read(); left > 0; left -= 1) {
		const hits = reader.read();
		if (reader.flag) {
			line += reader.read();
			ofLine = reader.read();
			branch = reader.read();
		} else branch += 1;
		visit(line, ofLine, branch, hits);
	}
}
function passLines(reader, visit) {
	const length = reader.read();
	if (reader.flag) {
		passBytes(reader, length, visit);
		return;
	}
	for (let line = 1; line <= length;) {
		const value = reader.read();
		const next = line + 1 + (reader.flag ? reader.read() : 0);
		if (value === 0 || visit === void 0) line = next;
		else for (; line < next; line += 1) visit(line, value - 1);
	}
}
function passBytes(reader, length, visit) {
	const bytes = reader.readBytes(length);
	for (let at = 0; at < length; at += 1) {
		const byte = bytes[at];
		const value = byte === 255 ? reader.read() : byte;
		if (value > 0 && visit !== void 0) visit(at + 1, value - 1);
	}
}

// action/src/formats/file-hits.ts
const MAX_LINE = 1e7;
const LARGEST_SPARE = 1 << 18;
var FileHits = class FileHits {
	name;
	#open;
	#packed;
	#spare;
	constructor(name, spare) {
		this.name = name;
		this.#spare = spare;
	}
	get lastLine() {
		if (this.#open !== void 0) return this.#open.lines.length;
		return this.#packed === void 0 ? 0 : readLength(this.#packed);
	}
	get openBytes() {
		return this.#open === void 0 ? 0 : this.#open.lines.bytes + this.#open.branches.bytes;
	}
	get open() {
		return this.#open ?? this.#reopen();
	}
	addLine(line, hits) {
		const { lines } = this.#open ?? this.#reopen();
		const before = lines.at(line - 1);
		lines.set(line - 1, before > 1 ? addHits(before - 1, hits) + 1 : hits + 1);
	}
	raiseLine(line, hits) {
		const { lines } = this.#open ?? this.#reopen();
		if (hits >= lines.at(line - 1)) lines.set(line - 1, hits + 1);
	}
	addBranch(line, block, branch, hits) {
		const { branches } = this.#open ?? this.#reopen();
		branches.add(line, block, branch, hits);
	}
	merge(other) {
		const addLine = (line, hits) => this.addLine(line, hits);
		if (other.#packed === void 0) other.eachLine(addLine);
		else addLines(other.#packed, this.open.lines, addLine);
		other.eachBranch((line, block, branch, hits) => this.addBranch(line, block, branch, hits));
	}
	renamed(name) {
		const copy = new FileHits(name);
		if (this.#open === void 0) copy.#packed = this.#packed;
		else copy.merge(this);
		return copy;
	}
	pack(writer) {
		if (this.#open === void 0) return;
		const { place } = writer;
		packLines(this.#open.lines, writer);
		packBranches(this.#open.branches, writer);
		this.#packed = place;
		if (this.openBytes < LARGEST_SPARE) this.#spare?.push(cleared(this.#open));
		this.#open = void 0;
	}
	eachLine(visit) {
		if (this.#packed !== void 0) readLines$6(this.#packed, visit);
		if (this.#open === void 0) return;
		const { lines } = this.#open;
		for (let index = 0; index < lines.length; index += 1) {
			const value = lines.at(index);
			if (value > 0) visit(index + 1, value - 1);
		}
	}
	eachBranch(visit) {
		if (this.#packed !== void 0) readBranches$2(this.#packed, visit);
		this.#open?.branches.each(visit);
	}
	countLines() {
		let [covered, all] = [0, 0];
		this.eachLine((_, hits) => {
			all += 1;
			if (hits > 0) covered += 1;
		});
		return {
			covered,
			all
		};
	}
	countBranches() {
		let [covered, all] = [0, 0];
		this.eachBranch((_line, _block, _branch, hits) => {
			all += 1;
			if (hits > 0) covered += 1;
		});
		return {
			covered,
			all
		};
	}
	coverage() {
		const coverage = new Array(this.lastLine).fill(null);
		this.eachLine((line, hits) => {
			coverage[line - 1] = hits;
		});
		return coverage;
	}
	branches() {
		const groups = [];
		this.eachBranch((line, block, branch, hits) => groups.push(line, block, branch, hits));
		return groups;
	}
	#reopen() {
		const open = this.#spare?.pop() ?? {
			lines: new NumberColumn(),
			branches: new BranchColumn()
		};
		const packed = this.#packed;
		this.#packed = void 0;
		if (packed !== void 0) {
			open.lines.reserve(readLength(packed));
			addLines(packed, open.lines, (line, hits) => open.lines.set(line - 1, hits + 1));
			readBranches$2(packed, (line, block, branch, hits) => open.branches.add(line, block, branch, hits));
			open.branches.joined();
		}
		this.#open = open;
		return open;
	}
};
function cleared(open) {
	open.lines.clear();
	open.branches.clear();
	return open;
}

// action/src/formats/hit-files.ts
const MAX_OPEN = 1 << 20;
const SPARE = [];
var HitFiles = class {
	#files = /* @__PURE__ */ new Map();
	#writer = new PackedWriter();
	#open = /* @__PURE__ */ new Set();
	#spare = SPARE;
	#openBytes = 0;
	#last;
	#lastBytes = 0;
	file(name) {
		const known = this.#files.get(name);
		if (known !== void 0 && known === this.#last) return known;
		return this.#begin(known ?? this.apart(name), known?.openBytes ?? 0);
	}
	apart(name) {
		return new FileHits(name, this.#spare);
	}
	add(file) {
		if (!this.#files.has(file.name)) this.#begin(file, 0);
		else this.file(file.name).merge(file);
	}
	packed() {
		this.#pack();
		return [...this.#files.values()];
	}
	#begin(file, counted) {
		this.#openBytes += (this.#last?.openBytes ?? 0) - this.#lastBytes;
		if (this.#openBytes > MAX_OPEN) this.#pack();
		this.#files.set(file.name, file);
		this.#open.add(file);
		[this.#last, this.#lastBytes] = [file, counted];
		return file;
	}
	#pack() {
		for (const file of this.#open) file.pack(this.#writer);
		this.#writer.endBlock();
		this.#open.clear();
		this.#openBytes = 0;
		this.#last = void 0;
		this.#lastBytes = 0;
	}
};

// action/src/formats/xml-lines.ts
const MAX_ARMS$1 = 1e5;
const HIDDEN_LINE = 16707566;
const MAX_SPAN = 1e4;
var LineAttributes = class {
	unusual = {
		negative: 0,
		lineZero: 0,
		uncounted: 0
	};
	line(tag, attribute) {
		const line = tag.digits(attribute);
		if (line < 0 || line > 1e7) throw wrong(tag, attribute, "<line>");
		if (line === 0) this.unusual.lineZero += 1;
		return line;
	}
	raiseLines(tag, [from, to], file, hits) {
		if (tag.digits(from) === 16707566) return;
		const first = this.line(tag, from);
		if (first === 0) return;
		const last = tag.attribute(to) === void 0 ? first : tag.digits(to);
		if (last < first || last - first > MAX_SPAN || last > 1e7) throw wrong(tag, to, "<line>");
		for (let line = first; line <= last; line += 1) file.raiseLine(line, hits);
	}
	hits(tag, attribute) {
		const plain = tag.digits(attribute);
		if (plain >= 0) return plain;
		const read = readHits(tag.attribute(attribute) ?? "");
		if (read === void 0) throw wrong(tag, attribute, "<count>");
		if (read.negative) this.unusual.negative += 1;
		return read.hits;
	}
	arms(tag, attribute) {
		const count = tag.digits(attribute);
		if (count >= 0 && count <= 1e5) return count;
		if (tag.attribute(attribute) === void 0) return 0;
		throw wrong(tag, attribute, "<arms>");
	}
	warnings(path) {
		const { negative, lineZero, uncounted } = this.unusual;
		const warnings = [];
		if (negative > 0) warnings.push(negativeHits(path, { count: negative }));
		if (lineZero > 0) warnings.push(lineZeroLeftOut(path, {
			count: lineZero,
			what: "element"
		}));
		if (uncounted > 0) warnings.push(`${path}: the branches of ${counted(uncounted, "line")} are left out: condition-coverage does not count them, as in "50% (1/2)"`);
		return warnings;
	}
};
function wrong(tag, attribute, form) {
	return tag.damaged(expectedForm(`${attribute}="${form}" on <${tag.name}>`, tag.attribute(attribute)));
}

// action/src/formats/xml-markup.ts
const QUOTE$2 = 34;
const APOSTROPHE$1 = 39;
const DASH$1 = 45;
const LESS$2 = 60;
const GREATER$2 = 62;
const QUESTION$1 = 63;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const COMMENT = "<!--";
const CDATA = "<![CDATA[";
function skipMarkup(bytes, start, end) {
	if (bytes[start + 1] === QUESTION$1) return { next: afterText(bytes, start + 2, end, "?>") };
	if (end - start < 9 && !beginsWith(bytes, start, end, COMMENT)) {
		if (bytes.indexOf(GREATER$2, start) < 0 || bytes.indexOf(GREATER$2, start) >= end) return { next: -1 };
	}
	if (beginsWith(bytes, start, end, COMMENT)) return { next: afterText(bytes, start + 4, end, "-->") };
	if (beginsWith(bytes, start, end, CDATA)) {
		const next = afterText(bytes, start + 9, end, "]]>");
		if (next < 0) return { next };
		return {
			next,
			text: Buffer.from(bytes.subarray(start + 9, next - 3)).toString("utf8")
		};
	}
	return { next: afterDeclaration(bytes, start + 2, end) };
}
function afterDeclaration(bytes, start, end) {
	let depth = 0;
	for (let at = start; at < end; at += 1) {
		const byte = bytes[at];
		if (byte === QUOTE$2 || byte === APOSTROPHE$1) {
			at = bytes.indexOf(byte, at + 1);
			if (at < 0 || at >= end) return -1;
		} else if (byte === LESS$2 && bytes[at + 1] === 33 && bytes[at + 2] === DASH$1 && bytes[at + 3] === DASH$1) {
			at = afterText(bytes, at + 4, end, "-->") - 1;
			if (at < 0) return -1;
		} else if (byte === OPEN_BRACKET) depth += 1;
		else if (byte === CLOSE_BRACKET) depth -= 1;
		else if (byte === GREATER$2 && depth <= 0) return at + 1;
	}
	return -1;
}
function afterText(bytes, start, end, text) {
	for (let at = start;; at += 1) {
		at = bytes.indexOf(text.charCodeAt(0), at);
		if (at < 0 || at + text.length > end) return -1;
		if (beginsWith(bytes, at, end, text)) return at + text.length;
	}
}
function beginsWith(bytes, start, end, text) {
	if (start + text.length > end) return false;
	for (let index = 0; index < text.length; index += 1) if (bytes[start + index] !== text.charCodeAt(index)) return false;
	return true;
}
function readFirstTag(text) {
	const start = afterMisc(text);
	if (start < 0 || text[start] !== "<") return void 0;
	let nameEnd = start + 1;
	while (nameEnd < text.length && !endsName$1(text, nameEnd)) nameEnd += 1;
	const close = text.indexOf(">", nameEnd);
	return {
		name: text.slice(start + 1, nameEnd),
		attributes: text.slice(nameEnd, close < 0 ? void 0 : close),
		rest: close < 0 ? void 0 : text.slice(close + 1)
	};
}
function afterMisc(text) {
	const bytes = Buffer.from(text, "latin1");
	let at = afterBlanks(text, 0);
	while (text[at] === "<" && (text[at + 1] === "!" || text[at + 1] === "?")) {
		const { next } = skipMarkup(bytes, at, bytes.length);
		if (next < 0) return -1;
		at = afterBlanks(text, next);
	}
	return at;
}
function afterBlanks(text, start) {
	let at = start;
	while (isBlank$2(text.charCodeAt(at))) at += 1;
	return at;
}
function endsName$1(text, at) {
	return text[at] === ">" || text[at] === "/" || isBlank$2(text.charCodeAt(at));
}
function isBlank$2(code) {
	return code <= 32 || code === 160;
}

// action/src/formats/report-bytes.ts
const CHUNK_BYTES$1 = 1 << 20;
const SMALLEST_CHUNK_BYTES = 4096;
const LONGEST_PIECE_BYTES = 64 << 20;
const NEWLINE$4 = 10;
const HEAD_BYTES = 65536;
const MARK = "ï»¿";
function withReportFile(file, use) {
	const handle = openSync(file.absolute, "r");
	try {
		return use({
			path: file.path,
			size: fstatSync(handle).size,
			read: (target, offset, length, position) => readSync(handle, target, offset, length, position)
		});
	} finally {
		closeSync(handle);
	}
}
function readHead(report) {
	const text = readStart(report, HEAD_BYTES).toString("latin1");
	return text.startsWith(MARK) ? text.slice(3) : text;
}
function readStart(report, max) {
	const start = Buffer.alloc(Math.min(max, report.size));
	let length = 0;
	for (let added = 1; added > 0; length += added) added = report.read(start, length, start.length - length, length);
	return start.subarray(0, length);
}
function scanBlocks(report, scan, chunkBytes = chunkFor(report)) {
	let buffer = Buffer.alloc(chunkBytes * 2 + 1);
	let kept = 0;
	let position = readStart(report, 3).toString("latin1") === MARK ? 3 : 0;
	for (;;) {
		const added = report.read(buffer, kept, Math.min(chunkBytes, buffer.length - 1 - kept), position + kept);
		const last = added === 0;
		let end = kept + added;
		if (last && end > 0 && buffer[end - 1] !== NEWLINE$4) {
			buffer[end] = NEWLINE$4;
			end += 1;
		}
		const done = scan({
			bytes: buffer,
			end,
			position,
			last
		});
		if (last) return;
		buffer.copyWithin(0, done, end);
		kept = end - done;
		position += done;
		if (kept + chunkBytes > buffer.length - 1) buffer = grown(report, buffer, kept);
	}
}
function chunkFor({ size }) {
	return Math.min(CHUNK_BYTES$1, Math.max(size, SMALLEST_CHUNK_BYTES));
}
function grown(report, buffer, kept) {
	if (kept > LONGEST_PIECE_BYTES) throw new ActionFailure("report-damaged", `${report.path}: a line or tag is longer than 64 MiB. This is not a coverage report.`);
	const larger = Buffer.alloc(buffer.length * 2);
	larger.set(buffer.subarray(0, kept));
	return larger;
}
function lineAt(report, position) {
	const chunk = new Uint8Array(CHUNK_BYTES$1);
	let line = 1;
	let at = 0;
	while (at < position) {
		const length = report.read(chunk, 0, Math.min(chunk.length, position - at), at);
		if (length === 0) break;
		for (let index = 0; index < length; index += 1) if (chunk[index] === NEWLINE$4) line += 1;
		at += length;
	}
	return line;
}
function damage(report, line, expected) {
	return new ActionFailure("report-damaged", `${report.path}, line ${line}: ${expected}. The report is damaged: check how it was written, or create it again.`);
}
function readLines$5(report, take) {
	let line = 0;
	scanBlocks(report, ({ bytes, end, last }) => {
		const block = Buffer.from(bytes.buffer, bytes.byteOffset, end);
		const stop = last ? end : block.lastIndexOf(NEWLINE$4) + 1;
		let at = 0;
		while (at < stop) {
			const lineEnd = block.indexOf(NEWLINE$4, at);
			line += 1;
			take(block.toString("utf8", at, lineEnd).replace(/\r$/, ""), line);
			at = lineEnd + 1;
		}
		return stop;
	});
}

// action/src/formats/xml-attributes.ts
const NEWLINE$3 = 10;
const QUOTE$1 = 34;
const APOSTROPHE = 39;
const SLASH$1 = 47;
const LESS$1 = 60;
const EQUALS = 61;
const GREATER$1 = 62;
const ZERO$2 = 48;
const MAX_DIGITS$1 = 15;
const WIDTH$1 = 5;
const ENDS_NAME = Uint8Array.from({ length: 256 }, (_, byte) => endsName(byte) || byte === EQUALS ? 1 : 0);
var TagAttributes = class {
	fraction = [0, 0];
	bytes = Buffer.alloc(0);
	#attributes = [];
	#attributesEnd = 0;
	#lastFound = 0;
	attribute(name) {
		const at = this.#find(name);
		if (at < 0) return void 0;
		return decodeXmlText(this.slice(this.#attributes[at + 2], this.#attributes[at + 3]));
	}
	digits(name) {
		const at = this.#find(name);
		return at < 0 ? -1 : this.#attributes[at + 4];
	}
	says(name, value) {
		const at = this.#find(name);
		if (at < 0) return false;
		const [start, end] = [this.#attributes[at + 2], this.#attributes[at + 3]];
		return end - start === value.length && this.slice(start, end).toLowerCase() === value;
	}
	readFraction(name) {
		const found = this.#find(name);
		if (found < 0) return "missing";
		const [start, end] = [this.#attributes[found + 2], this.#attributes[found + 3]];
		return readFraction(this.bytes, {
			start,
			end
		}, this.fraction) ? "plain" : "other";
	}
	readAttributes(start, end) {
		const bytes = this.bytes;
		const attributes = this.#attributes;
		let count = 0;
		let at = start;
		for (;;) {
			let byte = bytes[at];
			if (byte === 32) byte = bytes[++at];
			if (isBlank$1(byte)) {
				at = skipBlanks(bytes, at, end);
				byte = bytes[at];
			}
			if (at >= end) return -1;
			if (byte === GREATER$1 || byte === SLASH$1) break;
			const nameStart = at;
			while (ENDS_NAME[byte] === 0) byte = bytes[++at];
			const nameEnd = at;
			if (byte === EQUALS && bytes[at + 1] === QUOTE$1 && nameEnd > nameStart) at += 1;
			else at = this.#quoteBehind({
				start: nameStart,
				end: nameEnd
			}, end);
			if (at < 0) return -1;
			const quote = bytes[at];
			const valueStart = at + 1;
			at = valueStart;
			let number = 0;
			byte = bytes[at];
			for (let digit = byte ^ ZERO$2; digit < 10; digit = byte ^ ZERO$2) {
				number = number * 10 + digit;
				byte = bytes[++at];
			}
			const isNumber = byte === quote && at > valueStart && at - valueStart <= MAX_DIGITS$1;
			while (byte !== quote && byte !== LESS$1 && at < end) byte = bytes[++at];
			if (at >= end) return -1;
			if (byte === LESS$1) throw this.damaged("expected the closing quote of an attribute before <");
			attributes[count] = nameStart;
			attributes[count + 1] = nameEnd;
			attributes[count + 2] = valueStart;
			attributes[count + 3] = at;
			attributes[count + 4] = isNumber ? number : -1;
			count += WIDTH$1;
			at += 1;
		}
		this.#attributesEnd = count;
		this.#lastFound = 0;
		return at;
	}
	#quoteBehind(name, end) {
		const equals = skipBlanks(this.bytes, name.end, end);
		if (equals >= end) return -1;
		if (this.bytes[equals] !== EQUALS || name.end === name.start) throw this.damaged("expected name=\"value\" in the tag");
		const at = skipBlanks(this.bytes, equals + 1, end);
		if (at >= end) return -1;
		if (this.bytes[at] !== QUOTE$1 && this.bytes[at] !== APOSTROPHE) throw this.damaged("expected a quote around the value of an attribute");
		return at;
	}
	#find(name) {
		const found = this.#findIn(name, this.#lastFound, this.#attributesEnd);
		if (found >= 0) this.#lastFound = found;
		return found >= 0 ? found : this.#findIn(name, 0, this.#lastFound);
	}
	#findIn(name, from, to) {
		for (let at = from; at < to; at += WIDTH$1) {
			const start = this.#attributes[at];
			if (this.#attributes[at + 1] - start === name.length && this.spells(start, name)) return at;
		}
		return -1;
	}
	spells(start, name) {
		for (let index = 0; index < name.length; index += 1) if (this.bytes[start + index] !== name.charCodeAt(index)) return false;
		return true;
	}
	slice(start, end) {
		return this.bytes.toString("utf8", start, end);
	}
};
function endsName(byte) {
	return byte <= 32 || byte === SLASH$1 || byte === GREATER$1;
}
function skipBlanks(bytes, start, end) {
	let at = start;
	while (at < end && (bytes[at] === 32 || bytes[at] === 9 || bytes[at] === NEWLINE$3 || bytes[at] === 13)) at += 1;
	return at;
}
function isBlank$1(byte) {
	return byte === 32 || byte === 9 || byte === NEWLINE$3 || byte === 13;
}
const OPEN = 40;
const CLOSE = 41;
function readFraction(bytes, { start, end }, into) {
	if (bytes[end - 1] !== CLOSE) return false;
	const slash = beforeDigits(bytes, end - 2);
	const open = beforeDigits(bytes, slash - 1);
	if (bytes[slash] !== SLASH$1 || bytes[open] !== OPEN || open < start) return false;
	if (slash - open < 2 || slash - open > 10 || end - slash < 3 || end - slash > 11) return false;
	into[0] = numberIn(bytes, open + 1, slash);
	into[1] = numberIn(bytes, slash + 1, end - 1);
	return true;
}
function beforeDigits(bytes, last) {
	let at = last;
	while ((bytes[at] ^ ZERO$2) < 10) at -= 1;
	return at;
}
function numberIn(bytes, start, end) {
	let number = 0;
	for (let at = start; at < end; at += 1) number = number * 10 + bytes[at] - ZERO$2;
	return number;
}
const PREDEFINED = {
	amp: "&",
	lt: "<",
	gt: ">",
	quot: "\"",
	apos: "'"
};
const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]+));/g;
function decodeXmlText(text) {
	if (!text.includes("&")) return text;
	return text.replace(REFERENCE, (reference, decimal, hexadecimal, name) => {
		if (name !== void 0) return Object.hasOwn(PREDEFINED, name) ? PREDEFINED[name] : reference;
		const code = decimal === void 0 ? Number.parseInt(hexadecimal, 16) : Number(decimal);
		return code > 0 && code <= 1114111 && (code < 55296 || code > 57343) ? String.fromCodePoint(code) : reference;
	});
}

// action/src/formats/xml-tags.ts
const SLASH = 47;
const LESS = 60;
const GREATER = 62;
const EXCLAMATION = 33;
const QUESTION = 63;
function readXml(report, reader) {
	const scanner = new TagScanner(report, reader);
	scanBlocks(report, (block) => scanner.scan(block));
}
var TagScanner = class extends TagAttributes {
	name = "";
	#report;
	#reader;
	#stack = [];
	#position = 0;
	#tagStart = 0;
	#sawRoot = false;
	#wantsText = false;
	constructor(report, reader) {
		super();
		this.#report = report;
		this.#reader = reader;
	}
	scan({ bytes, end, position, last }) {
		this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
		this.#position = position;
		let at = 0;
		while (at < end) {
			let tag = at;
			while (tag < end && bytes[tag] !== LESS) tag += 1;
			const found = tag < end;
			const wantsText = this.#wantsText;
			if (!found && wantsText && !last) return at;
			if (wantsText) this.#reader.text(decodeXmlText(this.slice(at, found ? tag : end)));
			if (!found) break;
			this.#tagStart = tag;
			at = this.#markup(tag, end);
			if (at < 0 && !last) return tag;
			if (at < 0) throw this.damaged("expected the end of a tag, but the file ends inside it");
		}
		if (last) this.#finish(end);
		return end;
	}
	damaged(expected) {
		return damage(this.#report, lineAt(this.#report, this.#position + this.#tagStart), expected);
	}
	#finish(end) {
		this.#tagStart = end - 1;
		const open = this.#stack.at(-1);
		if (open !== void 0) throw this.damaged(`expected </${open}>, but the file ends`);
		if (!this.#sawRoot) throw this.damaged("expected an XML element, but the file has none");
	}
	#markup(start, end) {
		const next = this.bytes[start + 1];
		if (start + 1 >= end) return -1;
		if (next === EXCLAMATION || next === QUESTION) {
			const skipped = skipMarkup(this.bytes, start, end);
			if (skipped.text !== void 0 && this.#wantsText) this.#reader.text(skipped.text);
			return skipped.next;
		}
		return next === SLASH ? this.#endTag(start + 2, end) : this.#startTag(start + 1, end);
	}
	#endTag(start, end) {
		const close = this.bytes.indexOf(GREATER, start);
		if (close < 0 || close >= end) return -1;
		const name = this.slice(start, close).trimEnd();
		const open = this.#stack.pop();
		if (open !== name) throw this.damaged(wrongEnd(name, open));
		this.#reader.close(name);
		this.#wantsText = this.#reader.textOf.has(this.#stack.at(-1) ?? "");
		return close + 1;
	}
	#startTag(start, end) {
		const bytes = this.bytes;
		let at = start;
		while (at < end && !endsName(bytes[at])) at += 1;
		if (at >= end) return -1;
		if (at === start) throw this.damaged("expected the name of an element after <");
		const nameEnd = at;
		at = this.readAttributes(at, end);
		if (at < 0) return -1;
		const selfClosing = bytes[at] === SLASH;
		if (selfClosing && at + 1 >= end) return -1;
		if (selfClosing && bytes[at + 1] !== GREATER) throw this.damaged("expected > after / in a tag");
		this.#open(this.#elementName(start, nameEnd), selfClosing);
		return at + (selfClosing ? 2 : 1);
	}
	#open(name, selfClosing) {
		if (this.#sawRoot && this.#stack.length === 0) throw this.damaged(`expected nothing after the root element, got <${name}>`);
		this.#sawRoot = true;
		this.name = name;
		if (!selfClosing) {
			this.#stack.push(name);
			this.#wantsText = this.#reader.textOf.has(name);
		}
		this.#reader.open(this);
		if (selfClosing) this.#reader.close(name);
	}
	#elementName(start, end) {
		return end - start === this.name.length && this.spells(start, this.name) ? this.name : this.slice(start, end);
	}
};
function wrongEnd(name, open) {
	return open === void 0 ? `expected no </${name}> here: nothing is open` : `expected </${open}>, got </${name}>`;
}

// action/src/formats/clover.ts
const clover = {
	name: "clover",
	globs: ["*clover*.xml"],
	matches(head) {
		const root = readFirstTag(head);
		if (root?.name !== "coverage") return false;
		if (/\s(?:generated|clover)\s*=/.test(root.attributes)) return true;
		return readFirstTag(root.rest ?? "")?.name === "project";
	},
	parse: parseClover
};
function parseClover(report) {
	const reader = new CloverReader();
	readXml(report, reader);
	return {
		files: reader.files.packed(),
		sources: [],
		warnings: reader.attributes.warnings(report.path)
	};
}
var CloverReader = class {
	files = new HitFiles();
	attributes = new LineAttributes();
	textOf = /* @__PURE__ */ new Set();
	#depth = 0;
	#inTests = false;
	#arms = new ArmCounts();
	#file;
	open(tag) {
		this.#depth += 1;
		if (this.#depth === 1 && tag.name !== "coverage") throw tag.damaged(wrongRoot(tag.name));
		if (tag.name === "line") this.#readLine(tag);
		else if (tag.name === "file" && !this.#inTests) this.#openFile(tag);
		else if (tag.name === "testproject") this.#inTests = true;
	}
	text() {}
	close(name) {
		this.#depth -= 1;
		if (name === "file") this.#closeFile();
		else if (name === "testproject") this.#inTests = false;
	}
	#openFile(tag) {
		const name = (tag.attribute("path") || tag.attribute("name"))?.trim();
		if (!name) throw wrong(tag, "name", "...");
		this.#file = {
			lines: this.files.apart(name),
			conditions: /* @__PURE__ */ new Map()
		};
	}
	#closeFile() {
		if (this.#file === void 0) return;
		this.#arms.moveTo(this.#file.lines);
		this.files.add(this.#file.lines);
		this.#file = void 0;
	}
	#readLine(tag) {
		const type = tag.attribute("type");
		if (this.#file === void 0 || type === "method") return;
		const line = this.attributes.line(tag, "num");
		if (line === 0) return;
		if (type === "cond" && tag.attribute("count") === void 0) this.#readCondition(tag, line, this.#file);
		else {
			this.#file.lines.raiseLine(line, this.attributes.hits(tag, "count"));
			if (type === "cond") this.#readArms(tag, line);
		}
	}
	#readArms(tag, line) {
		const [covered, missed] = [this.attributes.arms(tag, "truecount"), this.attributes.arms(tag, "falsecount")];
		this.#arms.raise(line, covered, covered + missed);
	}
	#readCondition(tag, line, { lines, conditions }) {
		const [whenTrue, whenFalse] = [this.attributes.hits(tag, "truecount"), this.attributes.hits(tag, "falsecount")];
		const before = conditions.get(line) ?? 0;
		conditions.set(line, before + 1);
		lines.raiseLine(line, addHits(whenTrue, whenFalse));
		lines.addBranch(line, before, 0, whenTrue);
		lines.addBranch(line, before, 1, whenFalse);
	}
};

// action/src/formats/cobertura.ts
const CHILDREN = /* @__PURE__ */ new Set([
	"sources",
	"packages",
	"classes"
]);
const COUNTED_ARMS = /\(\s*(\d+)\s*\/\s*(\d+)\s*\)\s*$/;
const cobertura = {
	name: "cobertura",
	globs: ["*cobertura*.xml", "*coverage*.xml"],
	matches(head) {
		const root = readFirstTag(head);
		if (root?.name.toLowerCase() !== "coverage" || root.rest === void 0) return false;
		if (/\s(?:generated|clover)\s*=/.test(root.attributes)) return false;
		return /\sline-rate\s*=/.test(root.attributes) || CHILDREN.has(readFirstTag(root.rest)?.name ?? "");
	},
	parse: parseCobertura
};
function parseCobertura(report) {
	const reader = new CoberturaReader();
	readXml(report, reader);
	return {
		files: reader.files.packed(),
		sources: reader.sources,
		warnings: reader.attributes.warnings(report.path)
	};
}
var CoberturaReader = class {
	files = new HitFiles();
	sources = [];
	textOf = /* @__PURE__ */ new Set(["source"]);
	attributes = new LineAttributes();
	#source = "";
	#depth = 0;
	#class;
	#inMethods = false;
	#ownArms = new ArmCounts();
	#armsOfMethods = new ArmCounts();
	open(tag) {
		this.#depth += 1;
		if (this.#depth === 1 && tag.name !== "coverage") throw tag.damaged(wrongRoot(tag.name));
		if (tag.name === "line") this.#readLine(tag);
		else if (tag.name === "class") this.#openClass(tag);
		else if (tag.name === "methods") this.#inMethods = true;
		else if (tag.name === "source") this.#source = "";
	}
	text(piece) {
		this.#source += piece;
	}
	close(name) {
		this.#depth -= 1;
		if (name === "class") this.#closeClass();
		else if (name === "methods") this.#inMethods = false;
		else if (name === "source" && this.#source.trim() !== "") this.sources.push(this.#source.trim());
	}
	#openClass(tag) {
		const name = tag.attribute("filename")?.trim();
		if (!name) throw tag.damaged(expectedForm("filename=\"...\" on <class>", name));
		this.#class = {
			own: {
				lines: this.files.apart(name),
				arms: this.#ownArms
			},
			ofMethods: {
				lines: this.files.apart(name),
				arms: this.#armsOfMethods
			}
		};
		this.#ownArms.forget();
		this.#armsOfMethods.forget();
		this.#inMethods = false;
	}
	#closeClass() {
		if (this.#class === void 0) return;
		const { own, ofMethods } = this.#class;
		const { lines, arms } = own.lines.lastLine > 0 ? own : ofMethods;
		arms.moveTo(lines);
		this.files.add(lines);
		this.#class = void 0;
	}
	#readLine(tag) {
		if (this.#class === void 0) return;
		const listed = this.#inMethods ? this.#class.ofMethods : this.#class.own;
		const line = this.attributes.line(tag, "number");
		if (line === 0) return;
		listed.lines.raiseLine(line, this.attributes.hits(tag, "hits"));
		const form = tag.readFraction("condition-coverage");
		if (form !== "missing") this.#readCondition(tag, {
			line,
			arms: listed.arms,
			isPlain: form === "plain"
		});
		else if (tag.says("branch", "true")) this.attributes.unusual.uncounted += 1;
	}
	#readCondition(tag, { line, arms, isPlain }) {
		const counted = isPlain ? tag.fraction : countedArms(tag);
		if (counted === void 0) {
			this.attributes.unusual.uncounted += 1;
			return;
		}
		const [covered, all] = counted;
		if (covered > all || all > 1e5) {
			const condition = tag.attribute("condition-coverage");
			throw tag.damaged(expectedForm("condition-coverage=\"<percent> (<covered>/<all>)\"", condition));
		}
		arms.raise(line, covered, all);
	}
};
function countedArms(tag) {
	const counted = COUNTED_ARMS.exec(tag.attribute("condition-coverage") ?? "");
	return counted === null ? void 0 : [Number(counted[1]), Number(counted[2])];
}

// action/src/formats/json-reader.ts
const QUOTE = 34;
const COMMA$1 = 44;
const MINUS = 45;
const ZERO$1 = 48;
const NINE = 57;
const COLON$3 = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const DEEPEST = 200;
const KNOWN_TEXTS = 1024;
const LONGEST_KNOWN = 100;
const NUMBER$1 = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LITERALS = {
	true: true,
	false: false,
	null: null
};
var JsonDocument = class {
	#report;
	#stack = [];
	#level = {
		kind: "document",
		reader: void 0,
		key: ""
	};
	#known = new Array(KNOWN_TEXTS).fill("");
	#expected = "value";
	#bytes = /* @__PURE__ */ new Uint8Array(0);
	#position = 0;
	#at = 0;
	constructor(report) {
		this.#report = report;
	}
	read(open, chunkBytes) {
		this.#level = {
			kind: "document",
			reader: { open },
			key: ""
		};
		scanBlocks(this.#report, (block) => this.#scan(block), chunkBytes);
	}
	#scan({ bytes, end, position, last }) {
		this.#bytes = bytes;
		this.#position = position;
		let at = 0;
		for (;;) {
			while (at < end && isBlank(bytes[at])) at += 1;
			this.#at = at;
			if (at >= end) break;
			const next = this.#token(at, end);
			if (next < 0 && last) throw this.damaged("expected the end of a value, but the file ends inside it");
			if (next < 0) return at;
			at = next;
		}
		if (last && this.#expected !== "nothing") throw this.#cutOff(end);
		return end;
	}
	damaged(expected) {
		return damage(this.#report, lineAt(this.#report, this.#position + this.#at), expected);
	}
	#cutOff(end) {
		this.#at = Math.max(end - 1, 0);
		return this.damaged(this.#level.kind === "document" ? "expected JSON, but the file has none" : cutOff(this.#level.kind));
	}
	#token(at, end) {
		const byte = this.#bytes[at];
		switch (this.#expected) {
			case "comma-or-end": return byte === COMMA$1 ? this.#comma(at) : this.#end(byte, at);
			case "colon":
				if (byte !== COLON$3) throw this.damaged(expectedForm("\":\"", this.#found(at, end)));
				this.#expected = "value";
				return at + 1;
			case "key-or-end":
			case "key":
				if (byte === QUOTE) return this.#key(at, end);
				if (this.#expected === "key") throw this.damaged(expectedForm("a name in quotes", this.#found(at, end)));
				return this.#end(byte, at);
			case "value-or-end": return byte === CLOSE_ARRAY ? this.#end(byte, at) : this.#value(byte, at, end);
			case "value": return this.#value(byte, at, end);
			default: throw this.damaged(expectedForm("nothing after the end of the JSON", this.#found(at, end)));
		}
	}
	#comma(at) {
		if (this.#level.kind === "array") this.#level.key = this.#level.key + 1;
		this.#expected = this.#level.kind === "array" ? "value" : "key";
		return at + 1;
	}
	#end(byte, at) {
		if (byte !== (this.#level.kind === "array" ? CLOSE_ARRAY : CLOSE_OBJECT)) {
			const wanted = this.#level.kind === "array" ? "\",\" or \"]\"" : "\",\" or \"}\"";
			throw this.damaged(expectedForm(wanted, this.#found(at, at + 1)));
		}
		this.#level.reader?.close?.();
		this.#level = this.#stack.pop();
		this.#afterValue();
		return at + 1;
	}
	#afterValue() {
		this.#expected = this.#level.kind === "document" ? "nothing" : "comma-or-end";
	}
	#key(at, end) {
		const close = this.#closingQuote(at, end);
		if (close < 0) return -1;
		if (this.#level.reader !== void 0) this.#level.key = this.#string(at, close);
		this.#expected = "colon";
		return close + 1;
	}
	#value(byte, at, end) {
		if (byte === OPEN_OBJECT) return this.#open("object", at);
		if (byte === OPEN_ARRAY) return this.#open("array", at);
		if (this.#level.kind === "document") throw this.damaged(expectedForm("\"{\" or \"[\"", this.#found(at, end)));
		const reader = this.#level.reader;
		if (byte === QUOTE) {
			const close = this.#closingQuote(at, end);
			if (close < 0) return -1;
			if (reader?.value !== void 0) reader.value(this.#level.key, this.#string(at, close));
			this.#afterValue();
			return close + 1;
		}
		const stop = endOfWord(this.#bytes, at, end);
		if (stop >= end) return -1;
		const value = this.#word(at, stop);
		reader?.value?.(this.#level.key, value);
		this.#afterValue();
		return stop;
	}
	#open(kind, at) {
		if (this.#stack.length >= DEEPEST) throw this.damaged(`expected at most ${DEEPEST} levels of nesting`);
		const reader = this.#level.reader?.open?.(this.#level.key, kind);
		if (reader !== void 0 && reader.kind !== kind) throw this.damaged(wrongKind(this.#level.key, reader.kind));
		this.#stack.push(this.#level);
		this.#level = {
			kind,
			reader,
			key: kind === "array" ? 0 : ""
		};
		this.#expected = kind === "array" ? "value-or-end" : "key-or-end";
		return at + 1;
	}
	#word(start, end) {
		const bytes = this.#bytes;
		let value = 0;
		let at = start;
		for (; at < end && at - start < 15; at += 1) {
			const byte = bytes[at];
			if (byte < ZERO$1 || byte > NINE) break;
			value = value * 10 + (byte - ZERO$1);
		}
		if (at === end && at > start && (bytes[start] !== ZERO$1 || end - start === 1)) return value;
		const text = this.#slice(start, end);
		if (NUMBER$1.test(text)) return Number(text);
		const literal = Object.hasOwn(LITERALS, text) ? LITERALS[text] : void 0;
		if (literal === void 0) throw this.damaged(expectedForm("a value", this.#found(start, end)));
		return literal;
	}
	#closingQuote(open, end) {
		const bytes = this.#bytes;
		for (let at = open + 1;;) {
			const quote = bytes.indexOf(QUOTE, at);
			if (quote < 0 || quote >= end) return -1;
			let backslashes = 0;
			while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
			if (backslashes % 2 === 0) return quote;
			at = quote + 1;
		}
	}
	#string(open, close) {
		let isPlain = true;
		let slot = 0;
		for (let at = open + 1; at < close; at += 1) {
			const byte = this.#bytes[at];
			if (byte === BACKSLASH || byte < 32) isPlain = false;
			slot = slot * 31 + byte & 1023;
		}
		if (isPlain && close - open > LONGEST_KNOWN) return this.#slice(open + 1, close);
		if (isPlain) {
			const text = this.#knownOrNew(open + 1, close, this.#known[slot]);
			this.#known[slot] = text;
			return text;
		}
		try {
			return JSON.parse(this.#slice(open, close + 1));
		} catch {
			throw this.damaged("expected a text in quotes as JSON writes it");
		}
	}
	#knownOrNew(start, end, known) {
		if (known.length !== end - start) return this.#slice(start, end);
		for (let index = 0; index < known.length; index += 1) if (known.charCodeAt(index) !== this.#bytes[start + index]) return this.#slice(start, end);
		return known;
	}
	#found(at, end) {
		return this.#slice(at, Math.max(Math.min(endOfWord(this.#bytes, at, end), at + 100), at + 1));
	}
	#slice(start, end) {
		return Buffer.from(this.#bytes.buffer, start, end - start).toString("utf8");
	}
};
function isBlank(byte) {
	return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}
function endOfWord(bytes, start, end) {
	let at = start;
	while (at < end) {
		const byte = bytes[at];
		if (!(byte >= ZERO$1 && byte <= NINE || (byte | 32) >= 97 || byte === 43 || byte === 46 || byte === MINUS) || byte === OPEN_ARRAY || byte === CLOSE_ARRAY || byte === OPEN_OBJECT || byte === CLOSE_OBJECT) break;
		at += 1;
	}
	return at;
}
function cutOff(kind) {
	return `expected ${kind === "object" ? "\"}\"" : "\"]\""}, but the file ends`;
}
function wrongKind(key, kind) {
	return `expected an ${kind}${key === "" ? "" : ` under ${JSON.stringify(key).slice(0, 80)}`}`;
}

// action/src/formats/json-hits.ts
function parseJson(report, rootOf) {
	const document = new JsonDocument(report);
	const hits = new JsonHits(document);
	document.read((_, kind) => rootOf(hits, kind));
	return hits.parsed(report.path);
}
function readNamed(named, open, done) {
	const file = new FileHits("");
	let name = null;
	return {
		kind: "object",
		value: (member, value) => {
			if (member === named) name = value;
		},
		open: (member, kind) => open(file, member, kind),
		close: () => done(file, name)
	};
}
var JsonHits = class {
	sources = [];
	#place;
	#files = new HitFiles();
	#negative = 0;
	#lineZero = 0;
	constructor(place) {
		this.#place = place;
	}
	file(name) {
		return this.#files.file(this.name(name));
	}
	name(value) {
		if (typeof value === "string" && value.trim() !== "") return value.trim();
		throw this.#place.damaged(expectedForm("the name of a source file", String(value)));
	}
	add(file) {
		this.#files.add(file);
	}
	line(value) {
		const line = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
		if (typeof line !== "number" || !Number.isInteger(line) || line < 0 || line > 1e7) throw this.#place.damaged(expectedLineNumber(MAX_LINE, String(value)));
		if (line === 0) this.#lineZero += 1;
		return line;
	}
	hits(value) {
		if (typeof value !== "number") throw this.#place.damaged(expectedForm("a number of hits", String(value)));
		if (value < 0) this.#negative += 1;
		return Math.min(Math.max(Math.floor(value), 0), MAX_HITS);
	}
	damaged(expectation) {
		return this.#place.damaged(expectation);
	}
	parsed(path) {
		const warnings = [];
		if (this.#negative > 0) warnings.push(negativeHits(path, { count: this.#negative }));
		if (this.#lineZero > 0) warnings.push(lineZeroLeftOut(path, {
			count: this.#lineZero,
			what: "entry"
		}));
		return {
			files: this.#files.packed(),
			sources: this.sources,
			warnings
		};
	}
};
function expectedLineNumber(max, found) {
	return expectedForm(`a line number up to ${max}`, found);
}
const NOTHING$2 = /* @__PURE__ */ new Map();
const CHUNK_BYTES = 65536;
function readJsonHead(head) {
	if (!/^\s*[[{]/.test(head)) return NOTHING$2;
	const bytes = Buffer.from(head, "latin1");
	const read = (target, offset, length, position) => bytes.copy(target, offset, position, position + length);
	const root = /* @__PURE__ */ new Map();
	try {
		new JsonDocument({
			path: "",
			size: bytes.length,
			read
		}).read((_, kind) => collect(root, kind), CHUNK_BYTES);
	} catch {}
	return root;
}
function membersOf(value) {
	return value instanceof Map ? value : NOTHING$2;
}
function firstOf(value) {
	for (const member of membersOf(value).values()) if (member instanceof Map) return member;
	return NOTHING$2;
}
function collect(into, kind) {
	return {
		kind,
		open: (key, inner) => {
			const members = /* @__PURE__ */ new Map();
			into.set(key, members);
			return collect(members, inner);
		},
		value: (key, value) => into.set(key, value)
	};
}

// action/src/formats/codecov-json.ts
const PARTIAL = /^(\d{1,6})\/(\d{1,6})$/;
const MAX_ARMS = 1e5;
const codecovJson = {
	name: "codecov",
	globs: ["codecov*.json", "coverage*.json"],
	matches(head) {
		const root = readJsonHead(head);
		const listed = membersOf(membersOf(root.get("files")).get(0));
		if (typeof listed.get("name") === "string") return membersOf(listed.get("coverage")).get(0) === null;
		return [...membersOf(root.get("coverage")).values()].some((file) => file instanceof Map && hasLines(file));
	},
	parse: (report) => parseJson(report, (hits) => ({
		kind: "object",
		open: (member) => {
			if (member === "files") return {
				kind: "array",
				open: () => readListed(hits)
			};
			return member === "coverage" ? readFiles$3(hits) : void 0;
		}
	}))
};
function hasLines(file) {
	const keys = [...file.keys()];
	return keys.length > 0 && keys.every((key) => /^\d+$/.test(String(key))) && firstOf(file).size === 0;
}
function readFiles$3(hits) {
	return {
		kind: "object",
		open: (name, kind) => readLines$4(kind, hits.file(name), hits)
	};
}
function readListed(hits) {
	return readNamed("name", (file, member, kind) => member === "coverage" ? readLines$4(kind, file, hits) : void 0, (file, name) => hits.file(name).merge(file));
}
function readLines$4(kind, file, hits) {
	return {
		kind,
		value: (line, value) => readLine$2(file, hits, [line, value])
	};
}
function readLine$2(file, hits, [key, value]) {
	if (value === null || value === "") return;
	const line = hits.line(key);
	if (line === 0) return;
	if (typeof value === "boolean") file.addLine(line, value ? 1 : 0);
	else if (typeof value === "number") file.addLine(line, hits.hits(value));
	else addPartial(file, hits, [line, value]);
}
function addPartial(file, hits, [line, text]) {
	const counted = PARTIAL.exec(text);
	const [taken, all] = [Number(counted?.[1]), Number(counted?.[2])];
	if (counted === null || taken > all || all > MAX_ARMS) throw hits.damaged(expectedForm("hits, or \"1/2\"", text));
	file.addLine(line, taken > 0 ? 1 : 0);
	for (let arm = 0; arm < all; arm += 1) file.addBranch(line, 0, arm, arm < taken ? 1 : 0);
}

// action/src/formats/covdir.ts
const covdir = {
	name: "covdir",
	globs: ["covdir*.json", "*grcov*.json"],
	matches(head) {
		const root = readJsonHead(head);
		if (!root.has("children")) return false;
		if (root.has("linesTotal") && root.has("coveragePercent")) return true;
		let file = root;
		while (file.has("children")) file = firstOf(file.get("children"));
		return typeof membersOf(file.get("coverage")).get(0) === "number";
	},
	parse: (report) => parseJson(report, (hits) => readFolder("", hits))
};
function readFolder(path, hits) {
	const below = path === "" || path.endsWith("/") ? path : `${path}/`;
	return {
		kind: "object",
		open: (member) => {
			if (member === "coverage") return readLines$3(hits.file(path), hits);
			if (member !== "children") return void 0;
			return {
				kind: "object",
				open: (name) => readFolder(below + name, hits)
			};
		}
	};
}
function readLines$3(file, hits) {
	return {
		kind: "array",
		value: (index, value) => {
			if (value !== -1) file.addLine(hits.line(index + 1), hits.hits(value));
		}
	};
}

// action/src/formats/lcov-branch.ts
function splitBranch(text) {
	const [first, last] = [text.indexOf(","), text.lastIndexOf(",")];
	const second = text.indexOf(",", first + 1);
	if (first < 1 || second === last || second < 0) return void 0;
	const line = text.slice(0, first).trim();
	if (!/^\d+$/.test(line)) return void 0;
	return {
		line,
		block: text.slice(first + 1, second).trim(),
		branch: text.slice(second + 1, last).trim(),
		taken: text.slice(last + 1).trim()
	};
}
function branchKey(text) {
	if (/^\d{1,15}$/.test(text)) return Number(text);
	return hash("sha256", text, "buffer").readUInt32BE(0) >>> 1 | 1073741824;
}

// action/src/formats/coverage-py.ts
const DATA_FILE = /^SQLite format 3\0/;
const coveragePy = {
	name: "coveragepy",
	aliases: ["python"],
	globs: ["coverage*.json", ".coverage"],
	matches(head) {
		const root = readJsonHead(head);
		const file = firstOf(root.get("files"));
		return root.has("meta") && (file.has("executed_lines") || file.has("missing_lines"));
	},
	parse(report) {
		if (DATA_FILE.test(readHead(report))) throw damage(report, 1, "expected JSON, got coverage.py's data file (.coverage); run \"coverage lcov\" or \"coverage json\" first");
		return parseJson(report, (hits) => ({
			kind: "object",
			open: (member) => member === "files" ? readFiles$2(hits) : void 0
		}));
	}
};
function readFiles$2(hits) {
	return {
		kind: "object",
		open: (name) => readFile$8(hits.file(name), hits)
	};
}
function readFile$8(file, hits) {
	const readLines = (count) => ({
		kind: "array",
		value: (_, value) => {
			const line = hits.line(value);
			if (line > 0) file.raiseLine(line, count);
		}
	});
	const readBranches = (count) => ({
		kind: "array",
		open: () => readBranch$1(file, hits, count)
	});
	const members = /* @__PURE__ */ new Map([
		["executed_lines", readLines(1)],
		["missing_lines", readLines(0)],
		["executed_branches", readBranches(1)],
		["missing_branches", readBranches(0)]
	]);
	return {
		kind: "object",
		open: (member) => members.get(member)
	};
}
function readBranch$1(file, hits, count) {
	const ends = [];
	return {
		kind: "array",
		value: (_, value) => ends.push(value),
		close: () => {
			const line = hits.line(ends[0] ?? null);
			if (line > 0) file.addBranch(line, 0, branchKey(String(ends[1])), count);
		}
	};
}

// action/src/formats/coveralls-json.ts
const coverallsJson = {
	name: "coveralls",
	globs: ["*coveralls*.json"],
	matches: (head) => membersOf(membersOf(readJsonHead(head).get("source_files")).get(0)).has("name"),
	parse: (report) => parseJson(report, (hits) => ({
		kind: "object",
		open: (member) => member === "source_files" ? readFiles$1(hits) : void 0
	}))
};
function readFiles$1(hits) {
	return {
		kind: "array",
		open: () => readFile$7(hits)
	};
}
function readFile$7(hits) {
	const lines = (file, member) => {
		if (member === "coverage") return readLines$2(file, hits);
		return member === "branches" ? readBranches$1(file, hits) : void 0;
	};
	return readNamed("name", lines, (file, name) => hits.file(name).merge(file));
}
function readLines$2(file, hits) {
	return {
		kind: "array",
		value: (index, value) => {
			if (value !== null) file.addLine(hits.line(index + 1), hits.hits(value));
		}
	};
}
function readBranches$1(file, hits) {
	let group = [];
	return {
		kind: "array",
		value: (_, value) => {
			group.push(group.length === 0 ? hits.line(value) : hits.hits(value));
			if (group.length < 4) return;
			const [line = 0, block = 0, branch = 0, taken = 0] = group;
			if (line > 0) file.addBranch(line, block, branch, taken);
			group = [];
		},
		close: () => {
			if (group.length > 0) throw hits.damaged(expectedForm("four numbers for each branch", String(group.length)));
		}
	};
}

// action/src/formats/devel-cover.ts
const LISTING = /^line {2}err .*\bcode$/;
const STATEMENTS = "stmt";
const WIDTH = 6;
const NUMBER = 5;
const BRANCHES = /^line {2}err {6}% {3}true {2}false {3}branch$/;
const BRANCH$3 = /^(\d*) +(?:\*\*\* +)?-?[\d.]+ +(-?\d+) +(-?\d+)(?: {3}|$)/;
const FORM$1 = "<line> <stmt>";
const develCover = {
	name: "devel-cover",
	aliases: ["perl"],
	globs: ["devel-cover*.txt"],
	matches: (head) => head.split("\n").some(beginsListing),
	parse: (report) => new DevelCoverReader(report).read()
};
function beginsListing(line, at, lines) {
	return LISTING.test(line.trimEnd()) && lines[at - 1]?.trim() === "" && (lines[at - 2] ?? "").trim() !== "";
}
var DevelCoverReader = class {
	#report;
	#files = new HitFiles();
	#at = 0;
	#part = "other";
	#above = "";
	#file;
	#counts = 0;
	#line = 0;
	#hits;
	#branch = 0;
	constructor(report) {
		this.#report = report;
	}
	read() {
		readLines$5(this.#report, (text, at) => {
			this.#at = at;
			this.#read(text);
		});
		this.#endLine();
		if (this.#file === void 0) throw this.#damaged(FORM$1, "");
		return {
			files: this.#files.packed(),
			sources: [],
			warnings: []
		};
	}
	#read(text) {
		if (text === "") {
			if (this.#part === "listing") this.#endLine();
			this.#part = "other";
		} else if (this.#part === "listing") this.#readRow(text);
		else if (this.#part === "branches") this.#readBranch(text);
		else if (BRANCHES.test(text)) this.#part = "branches";
		else if (LISTING.test(text)) this.#open(text);
		if (text !== "") this.#above = text;
	}
	#open(header) {
		const statements = header.indexOf(` ${STATEMENTS} `);
		if (statements < 0) throw this.#damaged("line err stmt ... code", header);
		this.#part = "listing";
		this.#file = this.#files.file(this.#above);
		this.#counts = statements + 1 + 4 - WIDTH;
		this.#line = 0;
	}
	#readRow(text) {
		const [number = ""] = /^\d*/.exec(text) ?? [];
		if (number !== "") this.#begin(number, text);
		const from = this.#counts + Math.max(0, number.length - NUMBER);
		if (text.slice(from, from + WIDTH).trim() === "") return;
		const count = /^ *(-?\d+)(?: |$)/.exec(text.slice(from))?.[1];
		const read = count === void 0 ? void 0 : readHits(count.replace("-", ""));
		if (count === void 0 || read === void 0 || this.#line === 0) throw this.#damaged(FORM$1, text);
		if (!count.startsWith("-")) this.#hits = Math.max(this.#hits ?? 0, read.hits);
	}
	#begin(number, text) {
		this.#endLine();
		this.#line = Number(number);
		if (this.#line > 1e7) throw damage(this.#report, this.#at, expectedLinesTo(MAX_LINE, text));
	}
	#endLine() {
		if (this.#hits !== void 0) this.#file?.addLine(this.#line, this.#hits);
		this.#hits = void 0;
	}
	#readBranch(text) {
		const match = BRANCH$3.exec(text);
		if (match === null) return;
		const [, number = "", ...arms] = match;
		if (number !== "") [this.#line, this.#branch] = [Math.min(Number(number), MAX_LINE), 0];
		else this.#branch += 1;
		arms.forEach((arm, index) => {
			const read = arm.startsWith("-") ? void 0 : readHits(arm);
			if (read !== void 0 && this.#line > 0) this.#file?.addBranch(this.#line, this.#branch, index, read.hits);
		});
	}
	#damaged(form, found) {
		return damage(this.#report, this.#at, expectedForm(form, found));
	}
};

// action/src/formats/dlang.ts
const LINE$2 = /^(?=[ \d]{7,30}\|)( *\d+| +)\|/;
const END$1 = /^(.+?) (?:is \d{1,3}% covered|has no code)$/;
const dlang = {
	name: "dlang",
	globs: ["*.lst"],
	onePerSource: true,
	matches(head) {
		const lines = head.split("\n", 21).map((line) => line.replace(/\r$/, ""));
		const whole = lines.slice(0, lines.length > 1 ? -1 : void 0);
		return LINE$2.test(whole[0] ?? "") && whole.every((line) => LINE$2.test(line) || END$1.test(line));
	},
	parse: (report) => parseListing(report)
};
function parseListing(report) {
	const files = new HitFiles();
	let file = new FileHits("");
	let [line, last] = [0, 0];
	readLines$5(report, (text, at) => {
		last = at;
		const match = LINE$2.exec(text);
		if (match !== null) {
			line += 1;
			if (line > 1e7) throw damage(report, at, expectedLinesTo(MAX_LINE, text));
			const count = match[1]?.trim();
			if (count) file.addLine(line, readHits(count)?.hits ?? 0);
			return;
		}
		const name = END$1.exec(text)?.[1]?.trim();
		if (!name) throw damage(report, at, expectedForm("<count>|<source>", text));
		files.file(name).merge(file);
		file = new FileHits("");
		line = 0;
	});
	if (line > 0) throw damage(report, last, "expected \"<file> is <number>% covered\" behind the listing, but the file ends");
	return {
		files: files.packed(),
		sources: [],
		warnings: []
	};
}

// action/src/formats/dotcover.ts
const SWITCH$1 = /* @__PURE__ */ new Map([["true", 1], ["false", 0]]);
const LINES$2 = ["Line", "EndLine"];
const dotCover = {
	name: "dotcover",
	globs: ["*dotcover*.xml"],
	matches(head) {
		const root = readFirstTag(head);
		return root?.name === "Root" && /\sReportType\s*=\s*"DetailedXml"/i.test(root.attributes);
	},
	parse: parseDotCover
};
function parseDotCover(report) {
	const reader = new DotCoverReader();
	readXml(report, reader);
	return {
		files: reader.files.packed(),
		sources: [],
		warnings: reader.attributes.warnings(report.path)
	};
}
var DotCoverReader = class {
	files = new HitFiles();
	attributes = new LineAttributes();
	textOf = /* @__PURE__ */ new Set();
	#names = /* @__PURE__ */ new Map();
	#depth = 0;
	open(tag) {
		this.#depth += 1;
		if (this.#depth === 1 && tag.name !== "Root") throw tag.damaged(wrongRoot(tag.name, "Root"));
		if (tag.name === "Statement") this.#readLines(tag);
		else if (tag.name === "File") this.#openFile(tag);
	}
	text() {}
	close() {
		this.#depth -= 1;
	}
	#openFile(tag) {
		const [index, name] = [tag.attribute("Index"), tag.attribute("Name")?.trim()];
		if (index === void 0) throw wrong(tag, "Index", "...");
		if (!name) throw wrong(tag, "Name", "...");
		this.#names.set(index, name);
		this.files.file(name);
	}
	#readLines(tag) {
		const name = this.#names.get(tag.attribute("FileIndex") ?? "");
		if (name === void 0) throw wrong(tag, "FileIndex", "...");
		const hits = SWITCH$1.get((tag.attribute("Covered") ?? "").toLowerCase());
		if (hits === void 0) throw wrong(tag, "Covered", "True|False");
		this.attributes.raiseLines(tag, LINES$2, this.files.file(name), hits);
	}
};

// action/src/formats/dotnet-coverage.ts
const COVERED = /* @__PURE__ */ new Map([
	["yes", 1],
	["partial", 1],
	["no", 0]
]);
const LINES$1 = ["start_line", "end_line"];
const dotnetCoverage = {
	name: "dotnet-coverage",
	aliases: ["visual-studio"],
	globs: ["*.coveragexml", "*coverage*.xml"],
	matches(head) {
		const root = readFirstTag(head);
		return root?.name === "results" && readFirstTag(root.rest ?? "")?.name === "modules";
	},
	parse: parseDotnetCoverage
};
function parseDotnetCoverage(report) {
	const reader = new DotnetCoverageReader();
	readXml(report, reader);
	return {
		files: reader.files.packed(),
		sources: [],
		warnings: reader.attributes.warnings(report.path)
	};
}
var DotnetCoverageReader = class {
	files = new HitFiles();
	attributes = new LineAttributes();
	textOf = /* @__PURE__ */ new Set();
	#depth = 0;
	#module = /* @__PURE__ */ new Map();
	#tag;
	open(tag) {
		this.#depth += 1;
		this.#tag = tag;
		if (this.#depth === 1 && tag.name !== "results") throw tag.damaged(wrongRoot(tag.name, "results"));
		if (tag.name === "range") this.#readLines(tag);
		else if (tag.name === "source_file") this.#nameFile(tag);
	}
	text() {}
	close(name) {
		this.#depth -= 1;
		const [unnamed] = name === "module" ? this.#module.keys() : [];
		if (unnamed !== void 0) throw this.#tag?.damaged(`expected <source_file id=${shown$1(unnamed)}> in the module, as a <range> names it`);
	}
	#readLines(tag) {
		const id = tag.attribute("source_id");
		const hits = COVERED.get(tag.attribute("covered") ?? "");
		if (id === void 0) throw wrong(tag, "source_id", "...");
		if (hits === void 0) throw wrong(tag, "covered", "yes|partial|no");
		const file = this.#module.get(id) ?? new FileHits("");
		this.#module.set(id, file);
		this.attributes.raiseLines(tag, LINES$1, file, hits);
	}
	#nameFile(tag) {
		const [id, name] = [tag.attribute("id"), tag.attribute("path")?.trim()];
		if (id === void 0) throw wrong(tag, "id", "...");
		if (!name) throw wrong(tag, "path", "...");
		const file = this.files.file(name);
		const read = this.#module.get(id);
		if (read !== void 0) file.merge(read);
		this.#module.delete(id);
	}
};

// action/src/formats/gcov.ts
const LINE$1 = /^ *([^ :]+): *(\d{1,15})(:|-block)(.*)$/;
const BRANCH$2 = /^branch +(\d{1,9}) (?:taken ([^ %]+)(%?)|never executed)(?: \([a-z]+\))*$/;
const OTHER$1 = /^(?:function .* called |call +\d+ |unconditional +\d+ |-{18}$)/;
const SUMMARY = /^(?:|(?:File|Function|Creating|Removing) '.*|No (?:executable lines|branches|calls)|[A-Z][a-z ]+:[\d.]+% of \d+)$/;
const SEPARATOR = "-".repeat(18);
const COLOR$1 = /\x1b\[[\d;]*[A-Za-z]/g;
const MISSED$1 = /* @__PURE__ */ new Set(["#####", "====="]);
const THOUSANDS$1 = [
	"k",
	"M",
	"G",
	"T",
	"P",
	"E",
	"Z",
	"Y"
];
const gcov = {
	name: "gcov",
	globs: ["*.gcov"],
	onePerSource: true,
	matches: (head) => /^ *-: +0:(?:Source|Colorization):/.test(head.slice(0, 200).replaceAll(COLOR$1, "")),
	parse: (report) => new GcovReader(report).read()
};
var GcovReader = class {
	#report;
	#files = new HitFiles();
	#file;
	#at = 0;
	#line = 0;
	#negative = 0;
	#isInstance = false;
	#afterSeparator = false;
	constructor(report) {
		this.#report = report;
	}
	read() {
		readLines$5(this.#report, (text, at) => {
			this.#at = at;
			this.#read(text.includes("\x1B") ? text.replaceAll(COLOR$1, "") : text);
		});
		const negative = negativeHits(this.#report.path, { count: this.#negative });
		return {
			files: this.#files.packed(),
			sources: [],
			warnings: this.#negative === 0 ? [] : [negative]
		};
	}
	#read(text) {
		const match = LINE$1.exec(text);
		if (this.#afterSeparator) this.#isInstance = match === null && !OTHER$1.test(text) && !BRANCH$2.test(text);
		const isName = this.#afterSeparator && this.#isInstance;
		this.#afterSeparator = text === SEPARATOR;
		if (match !== null) this.#readLine(match);
		else if (text.startsWith("branch ")) this.#readBranch(text);
		else if (!isName && !OTHER$1.test(text) && !SUMMARY.test(text)) throw this.#damaged("<count>:<line>:<source>", text);
	}
	#readLine([text, count = "", number = "", mark, rest = ""]) {
		const line = Number(number);
		if (line === 0) {
			if (rest.startsWith("Source:")) this.#open(rest.slice(7).trim());
			return;
		}
		if (line > 1e7) throw damage(this.#report, this.#at, expectedLinesTo(MAX_LINE, text));
		if (mark !== ":") return;
		const file = this.#current();
		this.#line = line;
		const hits = count === "-" ? void 0 : this.#hits(count, text);
		if (hits !== void 0 && !this.#isInstance) file.addLine(line, hits);
	}
	#open(name) {
		if (name === "") throw damage(this.#report, this.#at, "expected the name of a source file after Source:, got nothing");
		this.#file = this.#files.file(name);
		this.#line = 0;
		this.#isInstance = false;
	}
	#readBranch(text) {
		const match = BRANCH$2.exec(text);
		if (match === null) throw this.#damaged("branch <number> taken <count>", text);
		const [, branch, taken = "0", percent] = match;
		const hits = this.#hits(taken, text);
		if (this.#isInstance || this.#line === 0) return;
		this.#current().addBranch(this.#line, 0, Number(branch), percent === "%" ? Math.min(hits, 1) : hits);
	}
	#hits(count, text) {
		if (MISSED$1.has(count)) return 0;
		const plain = count.replace(/\*$/, "");
		const power = THOUSANDS$1.indexOf(plain.slice(-1)) + 1;
		const read = readHits(power === 0 ? plain : plain.slice(0, -1));
		if (read === void 0) throw this.#damaged("<count>:<line>:<source>", text);
		if (read.negative) this.#negative += 1;
		if (power === 0) return read.hits;
		return Math.min(Math.round(Number(plain.slice(0, -1)) * 1e3 ** power), MAX_HITS);
	}
	#current() {
		if (this.#file === void 0) throw damage(this.#report, this.#at, expectedBefore("0:Source:<file>", "counts"));
		return this.#file;
	}
	#damaged(form, found) {
		return damage(this.#report, this.#at, expectedForm(form, found));
	}
};

// action/src/formats/gcov-json.ts
const UNPACK_FIRST = "expected a whole gzip file of up to 16 MiB, 64 MiB unpacked; gunzip larger ones first";
const GZIP = "";
const SYNC_FLUSH = 2;
const PACKED_HEAD = 4096;
const LARGEST_HEAD = 8 << 20;
const LARGEST_PACKED = 16 << 20;
const LARGEST_UNPACKED = 64 << 20;
const gcovJson = {
	name: "gcov-json",
	globs: ["*.gcov.json.gz", "*.gcov.json"],
	matches(head) {
		const root = readJsonHead(head.startsWith(GZIP) ? unpackedHead(head) : head);
		const file = membersOf(membersOf(root.get("files")).get(0));
		return (root.has("gcc_version") || root.has("format_version")) && (file.has("lines") || file.has("file"));
	},
	parse: (report) => parseGcov(unpacked(report))
};
function parseGcov(report) {
	const parsed = parseJson(report, (hits) => ({
		kind: "object",
		open: (member) => member === "files" ? readGcovFiles(hits) : void 0,
		value: (member, value) => {
			if (member === "current_working_directory" && typeof value === "string") hits.sources.push(value);
		}
	}));
	const [folder = ""] = parsed.sources;
	if (!folder.startsWith("/")) return parsed;
	const files = parsed.files.map((file) => file.renamed(posix.resolve(folder, file.name)));
	return {
		...parsed,
		files,
		sources: [],
		isPlaced: true
	};
}
function unpackedHead(head) {
	const options = {
		finishFlush: SYNC_FLUSH,
		maxOutputLength: LARGEST_HEAD
	};
	try {
		return gunzipSync(Buffer.from(head.slice(0, PACKED_HEAD), "latin1"), options).toString("latin1");
	} catch {
		return "";
	}
}
function unpacked(report) {
	if (readStart(report, 2).toString("latin1") !== GZIP) return report;
	if (report.size > LARGEST_PACKED) throw damage(report, 1, UNPACK_FIRST);
	try {
		const bytes = gunzipSync(readStart(report, report.size), { maxOutputLength: LARGEST_UNPACKED });
		const read = (target, offset, length, position) => bytes.copy(target, offset, position, position + length);
		return {
			path: report.path,
			size: bytes.length,
			read
		};
	} catch {
		throw damage(report, 1, UNPACK_FIRST);
	}
}
const gcovrJson = {
	name: "gcovr",
	globs: ["*gcovr*.json", "coverage*.json"],
	matches: (head) => readJsonHead(head).has("gcovr/format_version"),
	parse: (report) => parseJson(report, (hits) => ({
		kind: "object",
		open: (member) => member === "files" ? readGcovFiles(hits) : void 0
	}))
};
const EXCLUDED = ["gcovr/noncode", "gcovr/excluded"];
function readGcovFiles(hits) {
	return {
		kind: "array",
		open: () => readFile$6(hits)
	};
}
function readFile$6(hits) {
	return readNamed("file", (file, member) => member === "lines" ? {
		kind: "array",
		open: () => readLine$1(file, hits)
	} : void 0, (file, name) => {
		if (file.lastLine > 0) hits.file(name).merge(file);
	});
}
function readLine$1(file, hits) {
	const members = /* @__PURE__ */ new Map();
	const branches = [];
	return {
		kind: "object",
		value: (member, value) => members.set(member, value),
		open: (member) => member === "branches" ? {
			kind: "array",
			open: () => readBranch(branches)
		} : void 0,
		close: () => {
			if (isExcluded(members)) return;
			const line = hits.line(members.get("line_number") ?? null);
			if (line === 0) return;
			file.addLine(line, hits.hits(members.get("count") ?? null));
			const block = branchKey(String(members.get("function_name") ?? ""));
			branches.forEach((branch, index) => {
				if (!isExcluded(branch)) file.addBranch(line, block, armOf(branch, index), hits.hits(branch.get("count") ?? null));
			});
		}
	};
}
function readBranch(branches) {
	const members = /* @__PURE__ */ new Map();
	branches.push(members);
	return {
		kind: "object",
		value: (member, value) => members.set(member, value)
	};
}
function isExcluded(members) {
	return EXCLUDED.some((mark) => members.get(mark) === true);
}
function armOf(branch, index) {
	const stated = branch.get("branchno");
	return typeof stated === "number" && Number.isSafeInteger(stated) && stated >= 0 ? stated : index;
}

// action/src/formats/go.ts
const NEWLINE$2 = 10;
const SPACE = 32;
const COLON$2 = 58;
const POSITION = /^(\d{1,15})\.(\d{1,15}),(\d{1,15})\.(\d{1,15})$/;
const COUNTS = /^\d+ (\d+)\s*$/;
const FORM = "<file>:<line>.<column>,<line>.<column> <statements> <count>";
const go = {
	name: "go",
	aliases: ["golang"],
	globs: [
		"cover*.out",
		"coverage.txt",
		"cover.txt",
		"c.out",
		"profile.out",
		"profile.cov",
		"*.coverprofile"
	],
	matches: (head) => /^mode: (?:set|count|atomic)\s/.test(head),
	parse: (report) => new GoReader(report).read()
};
var GoReader = class {
	#report;
	#blocks = new HitFiles();
	#line = 0;
	#lineZero = 0;
	constructor(report) {
		this.#report = report;
	}
	read() {
		scanBlocks(this.#report, (block) => this.#scan(block));
		const { path } = this.#report;
		const files = new HitFiles();
		for (const blocks of this.#blocks.packed()) files.add(this.#linesOf(blocks));
		const warnings = this.#lineZero === 0 ? [] : [lineZeroLeftOut(path, {
			count: this.#lineZero,
			what: "block"
		})];
		return {
			files: files.packed(),
			sources: [],
			warnings,
			importPaths: true
		};
	}
	#scan({ bytes, end, last }) {
		const text = Buffer.from(bytes.buffer, bytes.byteOffset, end);
		const stop = last ? end : text.lastIndexOf(NEWLINE$2) + 1;
		for (let at = 0; at < stop;) {
			this.#line += 1;
			const lineEnd = text.indexOf(NEWLINE$2, at);
			this.#readLine(text, at, lineEnd);
			at = lineEnd + 1;
		}
		return stop;
	}
	#readLine(text, start, end) {
		const colon = lastBefore(text, COLON$2, {
			start,
			end
		});
		const space = text.indexOf(SPACE, colon);
		if (colon > start && space > 0 && space < end) {
			const position = text.toString("latin1", colon + 1, space);
			const count = COUNTS.exec(text.toString("latin1", space + 1, end))?.[1];
			if (count !== void 0) {
				this.#addBlock(text.toString("utf8", start, colon), position, Number(count));
				return;
			}
		}
		const line = text.toString("utf8", start, end);
		if (line.trim() !== "" && !/^(?:\ufeff)?mode: \w+\s*$/.test(line)) throw this.#damaged(line);
	}
	#addBlock(name, position, count) {
		const match = POSITION.exec(position);
		if (match === null) throw this.#damaged(`${name}:${position}`);
		const [first = 0, column = 0, last = 0, lastColumn = 0] = match.slice(1).map(Number);
		if (Math.max(first, last) > 1e7) throw damage(this.#report, this.#line, expectedLinesTo(MAX_LINE, `${name}:${position}`));
		this.#blocks.file(name).addBranch(first, last, columnsOf(column, lastColumn), Math.min(count, MAX_HITS));
	}
	#linesOf(blocks) {
		const file = new FileHits(blocks.name);
		const byCount = [];
		blocks.eachBranch((first, last, _, count) => {
			byCount.push({
				first: Math.max(first, 1),
				last,
				count
			});
			if (first === 0) this.#lineZero += 1;
		});
		byCount.sort((a, b) => b.count - a.count);
		const isSet = new Skips(byCount.reduce((max, { last }) => Math.max(max, last), 0));
		for (const { first, last, count } of byCount) for (let line = isSet.next(first); line <= last; line = isSet.next(line)) {
			file.addLine(line, count);
			isSet.add(line);
		}
		return file;
	}
	#damaged(found) {
		return damage(this.#report, this.#line, expectedForm(FORM, found.trim()));
	}
};
const MAX_COLUMN = 65535;
function columnsOf(first, last) {
	return Math.min(first, MAX_COLUMN) * 65536 + Math.min(last, MAX_COLUMN);
}
var Skips = class {
	#to;
	constructor(lines) {
		this.#to = Int32Array.from({ length: lines + 2 }, (_, line) => line);
	}
	next(line) {
		let free = line;
		while (free < this.#to.length && this.#to[free] !== free) free = this.#to[free];
		for (let at = line; at < free;) {
			const after = this.#to[at];
			this.#to[at] = free;
			at = after;
		}
		return free;
	}
	add(line) {
		this.#to[line] = line + 1;
	}
};
function lastBefore(text, byte, { start, end }) {
	let at = end - 1;
	while (at >= start && text[at] !== byte) at -= 1;
	return at;
}

// action/src/formats/istanbul.ts
const istanbul = {
	name: "istanbul",
	globs: ["coverage-final.json"],
	matches(head) {
		const file = firstOf(readJsonHead(head));
		return file.has("statementMap") || file.has("branchMap");
	},
	parse: (report) => parseJson(report, (hits) => ({
		kind: "object",
		open: (name) => readFile$5(hits.name(name), hits)
	}))
};
function readFile$5(key, hits) {
	let name = key;
	const statements = /* @__PURE__ */ new Map();
	const counts = /* @__PURE__ */ new Map();
	const branches = /* @__PURE__ */ new Map();
	const arms = /* @__PURE__ */ new Map();
	const members = {
		statementMap: () => readPlaces(statements, hits),
		branchMap: () => readPlaces(branches, hits),
		s: () => ({
			kind: "object",
			value: (id, count) => counts.set(id, hits.hits(count))
		}),
		b: () => ({
			kind: "object",
			open: (id) => readArms(id, arms, hits)
		})
	};
	return {
		kind: "object",
		open: (member) => Object.hasOwn(members, member) ? members[member]?.() : void 0,
		value: (member, value) => {
			if (member === "path") name = hits.name(value);
		},
		close: () => hits.add(joined$1(name, {
			statements,
			counts,
			branches,
			arms
		}))
	};
}
function joined$1(name, { statements, counts, branches, arms }) {
	const file = new FileHits(name);
	for (const [id, count] of counts) {
		const line = statements.get(id) ?? 0;
		if (line > 0) file.raiseLine(line, count);
	}
	for (const [id, taken] of arms) {
		const line = branches.get(id) ?? 0;
		const block = branchKey(String(id));
		if (line > 0) taken.forEach((count, arm) => {
			file.addBranch(line, block, arm, count);
		});
	}
	return file;
}
function readArms(id, arms, hits) {
	const taken = [];
	arms.set(id, taken);
	return {
		kind: "array",
		value: (_, count) => taken.push(hits.hits(count))
	};
}
function readPlaces(lines, hits) {
	const readStart = (id, isSure) => ({
		kind: "object",
		value: (member, value) => {
			if (member === "line" && value !== null && (isSure || !lines.has(id))) lines.set(id, hits.line(value));
		}
	});
	const readSpan = (id, isSure) => ({
		kind: "object",
		open: (member) => member === "start" ? readStart(id, isSure) : void 0
	});
	const readLocations = (id) => ({
		kind: "array",
		open: () => readSpan(id, false)
	});
	return {
		kind: "object",
		open: (id) => ({
			kind: "object",
			open: (member) => {
				if (member === "start") return readStart(id, true);
				if (member === "loc") return readSpan(id, true);
				return member === "locations" ? readLocations(id) : void 0;
			},
			value: (member, value) => readStart(id, false).value?.(member, value)
		})
	};
}

// action/src/formats/jacoco.ts
const LINE_WITHOUT_INSTRUCTIONS = /<line nr="\d*"(?: mb="\d*" cb="\d*")?\/>/;
const jacoco = {
	name: "jacoco",
	globs: ["*jacoco*.xml"],
	matches(head) {
		if (readFirstTag(head)?.name !== "report") return false;
		return /<(?:sessioninfo|group|package|counter)[\s/>]/.test(head) && !LINE_WITHOUT_INSTRUCTIONS.test(head);
	},
	parse: parseJacoco
};
function parseJacoco(report) {
	const reader = new JacocoReader();
	readXml(report, reader);
	const { files, packaged, attributes } = reader;
	return {
		files: files.packed(),
		sources: [],
		packaged,
		warnings: attributes.warnings(report.path)
	};
}
var JacocoReader = class {
	files = new HitFiles();
	packaged = /* @__PURE__ */ new Map();
	attributes = new LineAttributes();
	textOf = /* @__PURE__ */ new Set();
	#groups = [];
	#depth = 0;
	#package = "";
	#file;
	open(tag) {
		this.#depth += 1;
		if (this.#depth === 1 && tag.name !== "report") throw tag.damaged(wrongRoot(tag.name, "report"));
		if (tag.name === "line") this.#readLine(tag);
		else if (tag.name === "sourcefile") this.#openFile(tag);
		else if (tag.name === "package") this.#package = tag.attribute("name") ?? "";
		else if (tag.name === "group") this.#groups.push(tag.attribute("name") ?? "");
	}
	text() {}
	close(name) {
		this.#depth -= 1;
		if (name === "sourcefile") this.#file = void 0;
		else if (name === "group") this.#groups.pop();
	}
	#openFile(tag) {
		const own = tag.attribute("name")?.trim();
		if (!own) throw wrong(tag, "name", "...");
		const path = this.#package === "" ? own : `${this.#package}/${own}`;
		const name = [...this.#groups, path].join("/");
		this.#file = this.files.file(name);
		this.packaged.set(name, {
			modules: [...this.#groups],
			path
		});
	}
	#readLine(tag) {
		if (this.#file === void 0) return;
		const line = this.attributes.line(tag, "nr");
		if (line === 0) return;
		if (tag.attribute("mi") === void 0 || tag.attribute("ci") === void 0) throw tag.damaged("expected mi=\"...\" and ci=\"...\" on <line>; gcovr does not write them, let it write --cobertura or --lcov");
		const [missed, covered] = [this.attributes.hits(tag, "mi"), this.attributes.hits(tag, "ci")];
		if (missed + covered === 0) return;
		this.#file.raiseLine(line, covered > 0 ? 1 : 0);
		const [missedArms, coveredArms] = [this.attributes.arms(tag, "mb"), this.attributes.arms(tag, "cb")];
		addArms(this.#file, line, coveredArms, missedArms + coveredArms);
	}
};

// action/src/formats/lcov-plain.ts
const NEWLINE$1 = 10;
const RETURN = 13;
const COMMA = 44;
const DASH = 45;
const ZERO = 48;
const COLON$1 = 58;
const UPPER_A$1 = 65;
const UPPER_B = 66;
const UPPER_D = 68;
const UPPER_F = 70;
const UPPER_L = 76;
const UPPER_R = 82;
const UPPER_Z$1 = 90;
const MAX_DIGITS = 9;
const NOT_PLAIN = -1;
var PlainRecords = class {
	lines = 0;
	#file;
	#hits;
	#last = 0;
	#groups;
	#end = 0;
	#room = 0;
	read(bytes, start, stop, file) {
		this.#file = file;
		this.#open();
		let lines = 0;
		let at = start;
		while (at < stop) {
			const first = bytes[at];
			let next = NOT_PLAIN;
			if (first === UPPER_D) next = this.#readLine(bytes, at);
			else if (first === UPPER_B) next = this.#readBranch(bytes, at);
			else if (first === UPPER_F || first === UPPER_L) next = passOver(bytes, at);
			if (next === NOT_PLAIN) break;
			at = next;
			lines += 1;
		}
		this.#close();
		this.lines = lines;
		return at;
	}
	#open() {
		const { lines, branches } = this.#file.open;
		this.#hits = lines.small;
		this.#last = lines.length;
		this.#groups = branches.groups.small;
		this.#end = branches.groups.length;
		this.#room = branches.room;
	}
	#close() {
		const { lines, branches } = this.#file.open;
		lines.reach(this.#last);
		branches.groups.reach(this.#end);
	}
	#readLine(bytes, start) {
		if (bytes[start + 1] !== UPPER_A$1 || bytes[start + 2] !== COLON$1) return NOT_PLAIN;
		let at = start + 3;
		let digit = bytes[at] ^ ZERO;
		let line = 0;
		for (; digit < 10; digit = bytes[++at] ^ ZERO) line = line * 10 + digit | 0;
		if (bytes[at] !== COMMA || line === 0 || line > 1e7 || at - start > 12) return NOT_PLAIN;
		const hitsStart = ++at;
		digit = bytes[at] ^ ZERO;
		let hits = 0;
		for (; digit < 10; digit = bytes[++at] ^ ZERO) hits = hits * 10 + digit | 0;
		if (at === hitsStart || at - hitsStart > MAX_DIGITS) return NOT_PLAIN;
		const byte = bytes[at];
		if (byte === COMMA) at = bytes.indexOf(NEWLINE$1, at);
		else if (byte === RETURN && bytes[at + 1] === NEWLINE$1) at += 1;
		else if (byte !== NEWLINE$1) return NOT_PLAIN;
		this.#addLine(line, hits);
		return at + 1;
	}
	#addLine(line, hits) {
		const index = line - 1;
		const values = this.#hits;
		if (index < values.length) {
			const before = values[index];
			const sum = before === 0 ? hits + 1 : before + hits;
			if (sum <= 2147483647) {
				values[index] = sum;
				if (line > this.#last) this.#last = line;
				return;
			}
		}
		this.#close();
		this.#file.addLine(line, hits);
		this.#open();
	}
	#readBranch(bytes, start) {
		if (bytes[start + 1] !== UPPER_R || bytes[start + 2] !== UPPER_D) return NOT_PLAIN;
		if (bytes[start + 3] !== UPPER_A$1 || bytes[start + 4] !== COLON$1) return NOT_PLAIN;
		let at = start + 5;
		let from = at;
		let line = 0;
		let digit = bytes[at] ^ ZERO;
		for (; digit < 10; digit = bytes[++at] ^ ZERO) line = line * 10 + digit | 0;
		if (bytes[at] !== COMMA || line === 0 || line > 1e7 || at - from > MAX_DIGITS) return NOT_PLAIN;
		from = ++at;
		let block = 0;
		digit = bytes[at] ^ ZERO;
		for (; digit < 10; digit = bytes[++at] ^ ZERO) block = block * 10 + digit | 0;
		if (bytes[at] !== COMMA || at === from || at - from > MAX_DIGITS) return NOT_PLAIN;
		from = ++at;
		let branch = 0;
		digit = bytes[at] ^ ZERO;
		for (; digit < 10; digit = bytes[++at] ^ ZERO) branch = branch * 10 + digit | 0;
		if (bytes[at] !== COMMA || at === from || at - from > MAX_DIGITS) return NOT_PLAIN;
		from = ++at;
		let hits = 0;
		if (bytes[at] === DASH) at += 1;
		else {
			digit = bytes[at] ^ ZERO;
			for (; digit < 10; digit = bytes[++at] ^ ZERO) hits = hits * 10 + digit | 0;
		}
		if (bytes[at] !== NEWLINE$1 || at === from || at - from > MAX_DIGITS) return NOT_PLAIN;
		this.#addBranch(line, block, branch, hits);
		return at + 1;
	}
	#addBranch(line, block, branch, hits) {
		const end = this.#end;
		if (end < this.#room) {
			const groups = this.#groups;
			groups[end] = line;
			groups[end + 1] = block;
			groups[end + 2] = branch;
			groups[end + 3] = hits;
			this.#end = end + 4;
			return;
		}
		this.#close();
		this.#file.addBranch(line, block, branch, hits);
		this.#open();
	}
};
function passOver(bytes, start) {
	let at = start;
	while (bytes[at] >= UPPER_A$1 && bytes[at] <= UPPER_Z$1) at += 1;
	if (bytes[at] !== COLON$1) return NOT_PLAIN;
	while (bytes[at] !== NEWLINE$1) at += 1;
	return at + 1;
}

// action/src/formats/lcov.ts
const NEWLINE = 10;
const COLON = 58;
const UPPER_A = 65;
const UPPER_Z = 90;
const END = Buffer.from("end_of_record");
const READ = [
	"SF:",
	"DA:",
	"BRDA:"
].map((name) => Buffer.from(name));
const RECORD = /^[A-Z][A-Z0-9_]*:/;
const lcov = {
	name: "lcov",
	globs: [
		"lcov*.info",
		"coverage*.info",
		"*.lcov"
	],
	matches: (head) => /^\s*(?:#.*\r?\n\s*)*(?:TN|SF):/.test(head),
	parse: (report) => new LcovReader(report).read()
};
var LcovReader = class {
	#report;
	#files = new HitFiles();
	#texts = /* @__PURE__ */ new Map();
	#unusual = {
		negative: 0,
		firstNegative: 0,
		lineZero: 0,
		unknown: 0,
		firstUnknown: 0
	};
	#plain = new PlainRecords();
	#file;
	#line = 0;
	#recordStart = 0;
	constructor(report) {
		this.#report = report;
	}
	read() {
		scanBlocks(this.#report, (block) => this.#scan(block));
		if (this.#file !== void 0) throw this.#damaged(`expected end_of_record for the record that begins at line ${this.#recordStart}, but the file ends`);
		return {
			files: this.#files.packed(),
			sources: [],
			warnings: this.#warnings()
		};
	}
	#scan({ bytes, end, last }) {
		const stop = last ? end : bytes.lastIndexOf(NEWLINE, end - 1) + 1;
		let at = 0;
		while (at < stop) {
			if (this.#file !== void 0) {
				at = this.#plain.read(bytes, at, stop, this.#file);
				this.#line += this.#plain.lines;
				if (at === stop) break;
			}
			this.#line += 1;
			at = this.#readText(bytes, at);
		}
		return stop;
	}
	#readText(bytes, start) {
		let end = start;
		while (bytes[end] !== NEWLINE) end += 1;
		if (spells(bytes, start, END) && end === start + END.length) this.#closeRecord();
		else if (!isPassedOver(bytes, start)) {
			const text = bytes.toString("utf8", start, end);
			this.#readRecord(text.endsWith("\r") ? text.slice(0, -1) : text);
		}
		return end + 1;
	}
	#readRecord(text) {
		if (text.startsWith("DA:")) this.#readLine(text.slice(3));
		else if (text.startsWith("BRDA:")) this.#readBranch(text.slice(5));
		else if (text.startsWith("SF:")) this.#openRecord(text.slice(3).trim());
		else if (text.trimEnd() === "end_of_record") this.#closeRecord();
		else if (text.trim() !== "" && !text.startsWith("#") && !RECORD.test(text)) {
			this.#unusual.firstUnknown ||= this.#line;
			this.#unusual.unknown += 1;
		}
	}
	#openRecord(name) {
		if (name === "") throw this.#damaged("expected the name of a source file after SF:, got nothing");
		if (this.#file !== void 0) throw this.#damaged(`expected end_of_record before the next SF:, for the record that begins at line ${this.#recordStart}`);
		this.#file = this.#files.file(name);
		this.#recordStart = this.#line;
	}
	#closeRecord() {
		if (this.#file === void 0) throw this.#damaged(expectedBefore("SF:<source file>", "end_of_record"));
		this.#file = void 0;
	}
	#readLine(text) {
		const [number = "", count = ""] = text.split(",");
		const read = readHits(count);
		if (!/^\s*\d+\s*$/.test(number) || read === void 0) throw this.#damaged(expectedForm("DA:<line>,<hits>", `DA:${text}`));
		const line = this.#lineNumber(number, "DA");
		if (line === 0) return;
		if (read.negative) this.#countNegative();
		this.#currentFile("DA").addLine(line, read.hits);
	}
	#readBranch(text) {
		const fields = splitBranch(text);
		const read = fields?.taken === "-" ? {
			hits: 0,
			negative: false
		} : readHits(fields?.taken ?? "");
		if (fields === void 0 || read === void 0) throw this.#damaged(expectedForm("BRDA:<line>,<block>,<branch>,<hits or ->", `BRDA:${text}`));
		const line = this.#lineNumber(fields.line, "BRDA");
		if (line === 0) return;
		if (read.negative) this.#countNegative();
		this.#currentFile("BRDA").addBranch(line, this.#key(fields.block), this.#key(fields.branch), read.hits);
	}
	#key(text) {
		let key = this.#texts.get(text);
		if (key === void 0) {
			key = branchKey(text);
			this.#texts.set(text, key);
		}
		return key;
	}
	#lineNumber(text, record) {
		const line = Number(text);
		if (line > 1e7) throw this.#damaged(`expected a line number up to ${MAX_LINE} after ${record}:, got ${shown$1(text)}`);
		if (line === 0) this.#unusual.lineZero += 1;
		return line;
	}
	#currentFile(record) {
		if (this.#file === void 0) throw this.#damaged(expectedBefore("SF:<source file>", `${record}:`));
		return this.#file;
	}
	#countNegative() {
		this.#unusual.firstNegative ||= this.#line;
		this.#unusual.negative += 1;
	}
	#damaged(expected) {
		return damage(this.#report, Math.max(this.#line, 1), expected);
	}
	#warnings() {
		const { path } = this.#report;
		const { negative, firstNegative, lineZero, unknown, firstUnknown } = this.#unusual;
		const warnings = [];
		if (negative > 0) warnings.push(negativeHits(path, {
			count: negative,
			first: firstNegative
		}));
		if (lineZero > 0) warnings.push(lineZeroLeftOut(path, {
			count: lineZero,
			what: "record"
		}));
		if (unknown > 0) warnings.push(`${path}: skipped ${counted(unknown, "line")} that no LCOV record begins with, the first is line ${firstUnknown}`);
		return warnings;
	}
};
function isPassedOver(bytes, start) {
	if (READ.some((name) => spells(bytes, start, name))) return false;
	let at = start;
	while (isNamePart(bytes[at])) at += 1;
	return at > start && bytes[at] === COLON;
}
function isNamePart(byte) {
	return byte >= UPPER_A && byte <= UPPER_Z;
}
function spells(bytes, start, text) {
	for (let at = 0; at < text.length; at += 1) if (bytes[start + at] !== text[at]) return false;
	return true;
}

// action/src/formats/llvm-json.ts
const llvmJson = {
	name: "llvm-cov",
	globs: ["*llvm-cov*.json", "coverage*.json"],
	matches(head) {
		const data = membersOf(membersOf(readJsonHead(head).get("data")).get(0));
		const file = firstOf(data.get("files"));
		return file.has("segments") || file.has("branches") || file.has("expansions") || file.has("filename");
	},
	parse: (report) => parseJson(report, (hits) => ({
		kind: "object",
		open: (member) => member === "data" ? {
			kind: "array",
			open: () => readExport(hits)
		} : void 0
	}))
};
function readExport(hits) {
	const readFiles = {
		kind: "array",
		open: () => readFile$4(hits)
	};
	return {
		kind: "object",
		open: (member) => member === "files" ? readFiles : void 0
	};
}
function readFile$4(hits) {
	const file = new FileHits("");
	const lines = new LlvmLines(file);
	let name = null;
	let isSummary = true;
	return {
		kind: "object",
		value: (member, value) => {
			if (member === "filename") name = value;
		},
		open: (member) => {
			if (member === "branches") return readRows(9, (row) => addBranch(row, file, hits));
			if (member !== "segments") return void 0;
			isSummary = false;
			return readRows(5, (row) => {
				const [line = null, , count = null, hasCount, isEntry, isGap] = row;
				if (Number(line) < lines.line) throw hits.damaged(expectedForm("segments in the order of their lines", String(line)));
				const counted = hasCount === true || hasCount === 1;
				lines.add({
					line: hits.line(line),
					count: hits.hits(count),
					hasCount: counted,
					isStart: counted && (isEntry === true || isEntry === 1) && isGap !== true,
					isSkipped: !counted && (isEntry === true || isEntry === 1)
				});
			});
		},
		close: () => {
			if (isSummary) throw hits.damaged("expected \"segments\" in each file; run llvm-cov export without -summary-only");
			lines.end();
			hits.file(name).merge(file);
		}
	};
	function readRows(min, use) {
		return {
			kind: "array",
			open: () => readRow(hits, min, use)
		};
	}
}
function readRow(hits, min, use) {
	const row = [];
	return {
		kind: "array",
		value: (_, value) => {
			if (row.length < 9) row.push(value);
		},
		close: () => {
			if (row.length < min) throw hits.damaged(expectedValues(min, row.length));
			use(row);
		}
	};
}
function addBranch(row, file, hits) {
	const [start = null, column, endLine, endColumn, taken = null, notTaken = null] = row;
	const line = hits.line(start);
	if (line === 0) return;
	const block = branchKey(`${column}-${endLine}:${endColumn}`);
	file.addBranch(line, block, 0, hits.hits(taken));
	file.addBranch(line, block, 1, hits.hits(notTaken));
}
function expectedValues(min, found) {
	return expectedForm(`${min} values`, String(found));
}
var LlvmLines = class {
	#file;
	#wrapped;
	line = 0;
	#segments = [];
	constructor(file) {
		this.#file = file;
	}
	add(segment) {
		if (segment.line !== this.line) {
			this.end();
			const last = this.#segments.at(-1);
			if (last !== void 0) this.#wrapped = last;
			this.#between(this.line + 1, segment.line);
			this.line = segment.line;
			this.#segments = [];
		}
		this.#segments.push(segment);
	}
	end() {
		const [first] = this.#segments;
		if (first === void 0 || this.line === 0) return;
		const starts = this.#segments.filter(({ isStart }) => isStart);
		const reaches = this.#wrapped?.hasCount === true;
		if (first.isSkipped || !reaches && starts.length === 0) return;
		const counts = starts.map(({ count }) => count);
		this.#file.raiseLine(this.line, Math.max(this.#wrapped?.count ?? 0, ...counts));
	}
	#between(from, before) {
		if (this.#wrapped?.hasCount !== true) return;
		for (let line = from; line < before; line += 1) this.#file.raiseLine(line, this.#wrapped.count);
	}
};

// action/src/formats/llvm-show.ts
const LINE = /^ *(\d{1,9})\| *(?:(\d+(?:\.\d+)?[kMGTPEZY]?) *)?\|/;
const NAME = /^(\S.*):$/;
const BRANCH$1 = /^ {2}\| {2}Branch \((\d+):(\d{1,9})\): \[(?:True: ([\d.]+)([%kA-Z]?), False: ([\d.]+)([%kA-Z]?)|Folded.*)\]$/;
const OTHER = /^(?: {2}(?:-{18}$|\|)| *\^[\d.^ kMGTPEZY]*$|\s*$)/;
const COLOR = /\x1b\[[\d;]*m/g;
const THOUSANDS = [
	"k",
	"M",
	"G",
	"T",
	"P",
	"E",
	"Z",
	"Y"
];
const llvmShow = {
	name: "llvm-cov-show",
	globs: ["*llvm-cov*.txt"],
	matches: (head) => /^(?:\S.*:\r?\n)? {4}1\| *[\d.]*[kMGTPEZY]?\|/.test(head.slice(0, 8192).replaceAll(COLOR, "")),
	parse: (report) => new ShowReader(report).read()
};
var ShowReader = class {
	#report;
	#files = new HitFiles();
	#file;
	#at = 0;
	constructor(report) {
		this.#report = report;
	}
	read() {
		readLines$5(this.#report, (text, at) => {
			this.#at = at;
			this.#read(text.includes("\x1B") ? text.replaceAll(COLOR, "") : text);
		});
		return {
			files: this.#files.packed(),
			sources: [],
			warnings: []
		};
	}
	#read(text) {
		const line = LINE.exec(text);
		if (line !== null) this.#readLine(line);
		else if (text.startsWith("  |  Branch ")) this.#readBranch(text);
		else if (!OTHER.test(text)) this.#open(text);
	}
	#readLine([text, number = "", count]) {
		const line = Number(number);
		if (line < 1 || line > 1e7) throw damage(this.#report, this.#at, expectedLinesTo(MAX_LINE, text));
		const file = this.#current();
		if (count !== void 0) file.addLine(line, hitsOf(count));
	}
	#readBranch(text) {
		const match = BRANCH$1.exec(text);
		if (match === null) throw this.#damaged("Branch (<line>:<column>): [True: <count>, False: <count>]", text);
		const [, line, column, taken, takenUnit = "", not, notUnit = ""] = match;
		if (taken === void 0 || not === void 0) return;
		if (Number(line) < 1 || Number(line) > 1e7) throw damage(this.#report, this.#at, expectedLinesTo(MAX_LINE, text));
		const file = this.#current();
		file.addBranch(Number(line), Number(column), 0, armHits(taken, takenUnit));
		file.addBranch(Number(line), Number(column), 1, armHits(not, notUnit));
	}
	#open(text) {
		const name = NAME.exec(text)?.[1]?.trim();
		if (!name) throw this.#damaged("<line>|<count>|<source>", text);
		this.#file = this.#files.file(name);
	}
	#current() {
		if (this.#file === void 0) throw damage(this.#report, this.#at, "expected \"<file>:\" before the lines; of one file llvm-cov leaves it out: run \"llvm-cov export\" instead");
		return this.#file;
	}
	#damaged(form, found) {
		return damage(this.#report, this.#at, expectedForm(form, found));
	}
};
function hitsOf(count) {
	const power = THOUSANDS.indexOf(count.slice(-1)) + 1;
	if (power === 0) return Math.min(Math.round(Number(count)), MAX_HITS);
	return Math.min(Math.round(Number(count.slice(0, -1)) * 1e3 ** power), MAX_HITS);
}
function armHits(count, unit) {
	const hits = hitsOf(unit === "%" ? count : count + unit);
	return unit === "%" ? Number(Number(count) > 0) : hits;
}

// action/src/formats/luacov.ts
const RULE = "=".repeat(78);
const COUNT = /^ +\d+(?= |$)/;
const MISSED = /^\*+0(?= |$)/;
const luacov = {
	name: "luacov",
	globs: ["luacov.report*.out"],
	matches: (head) => /^={78}\r?\n[^\n]+\n={78}\r?\n/.test(head),
	parse: (report) => new LuacovReader(report).read()
};
var LuacovReader = class {
	#report;
	#files = new HitFiles();
	#expected = "rule";
	#name = "";
	#file;
	#line = 0;
	#isSummary = false;
	#width = Number.POSITIVE_INFINITY;
	constructor(report) {
		this.#report = report;
	}
	read() {
		let at = 0;
		readLines$5(this.#report, (text) => {
			const count = COUNT.exec(text) ?? MISSED.exec(text);
			if (count !== null) this.#width = Math.min(this.#width, count[0].length);
		});
		readLines$5(this.#report, (text, line) => {
			at = line;
			if (!this.#isSummary) this.#read(text, line);
		});
		if (!this.#isSummary) throw damage(this.#report, at, "expected the Summary behind the files, but the file ends");
		return {
			files: this.#files.packed(),
			sources: [],
			warnings: []
		};
	}
	#read(text, at) {
		const isRule = text === RULE;
		if (this.#expected === "name") {
			if (text === "" || isRule) throw this.#damaged(at, "<file>", text);
			this.#name = text;
			this.#expected = "named";
		} else if (this.#expected === "named") {
			if (!isRule) throw this.#damaged(at, RULE, text);
			this.#open();
		} else if (isRule) this.#expected = "name";
		else if (this.#expected === "rule") throw this.#damaged(at, RULE, text);
		else this.#readText(text, at);
	}
	#open() {
		this.#isSummary = this.#name === "Summary";
		this.#expected = "text";
		if (this.#isSummary) return;
		this.#file = this.#files.file(this.#name);
		this.#line = 0;
	}
	#readText(text, at) {
		this.#line += 1;
		if (this.#line > 1e7) throw damage(this.#report, at, expectedLinesTo(MAX_LINE, text));
		const count = COUNT.exec(text) ?? MISSED.exec(text);
		if (count?.[0].length === this.#width) {
			const hits = MISSED.test(text) ? 0 : readHits(count[0])?.hits;
			this.#file?.addLine(this.#line, hits ?? 0);
		} else if (text.slice(0, this.#width).trim() !== "") throw this.#damaged(at, "<hits> <source>", text);
	}
	#damaged(at, form, found) {
		return damage(this.#report, at, expectedForm(form, found));
	}
};

// action/src/formats/opencover.ts
const LINES = ["sl", "el"];
const openCover = {
	name: "opencover",
	globs: ["*opencover*.xml"],
	matches: (head) => readFirstTag(head)?.name === "CoverageSession",
	parse: parseOpenCover
};
function parseOpenCover(report) {
	const reader = new OpenCoverReader();
	readXml(report, reader);
	return {
		files: reader.files.packed(),
		sources: [],
		warnings: reader.warnings(report.path)
	};
}
var OpenCoverReader = class {
	files = new HitFiles();
	attributes = new LineAttributes();
	textOf = /* @__PURE__ */ new Set();
	#depth = 0;
	#module = /* @__PURE__ */ new Map();
	#method = 0;
	#methodFile = "";
	#withoutLine = 0;
	open(tag) {
		this.#depth += 1;
		if (this.#depth === 1 && tag.name !== "CoverageSession") throw tag.damaged(wrongRoot(tag.name, "CoverageSession"));
		if (tag.name === "SequencePoint") this.#readLines(tag);
		else if (tag.name === "BranchPoint") this.#readBranch(tag);
		else if (tag.name === "File") this.#openFile(tag);
		else if (tag.name === "FileRef") this.#methodFile = tag.attribute("uid") ?? "";
		else if (tag.name === "Method") {
			this.#method += 1;
			this.#methodFile = "";
		}
	}
	text() {}
	close(name) {
		this.#depth -= 1;
		if (name === "Module") this.#closeModule();
	}
	warnings(path) {
		const more = this.#withoutLine === 0 ? [] : [branchesWithoutLine(path, this.#withoutLine)];
		return [...this.attributes.warnings(path), ...more];
	}
	#openFile(tag) {
		const [uid, name] = [tag.attribute("uid"), tag.attribute("fullPath")?.trim()];
		if (uid === void 0) throw wrong(tag, "uid", "...");
		if (!name) throw wrong(tag, "fullPath", "...");
		this.#module.set(uid, {
			lines: this.files.apart(name),
			decisions: /* @__PURE__ */ new Map()
		});
	}
	#closeModule() {
		for (const { lines } of this.#module.values()) this.files.add(lines);
		this.#module = /* @__PURE__ */ new Map();
		this.#method = 0;
	}
	#fileOf(tag) {
		return this.#module.get(tag.attribute("fileid") ?? this.#methodFile);
	}
	#readLines(tag) {
		const file = this.#fileOf(tag);
		if (file !== void 0) this.attributes.raiseLines(tag, LINES, file.lines, this.attributes.hits(tag, "vc"));
	}
	#readBranch(tag) {
		const file = this.#fileOf(tag);
		if (file === void 0 || tag.digits("sl") === 16707566) return;
		if (tag.attribute("sl") === void 0) {
			this.#withoutLine += 1;
			return;
		}
		const line = this.attributes.line(tag, "sl");
		if (line === 0) return;
		const decisions = file.decisions.get(line) ?? /* @__PURE__ */ new Map();
		file.decisions.set(line, decisions);
		const key = `${this.#method} ${tag.attribute("offset")}`;
		const decision = decisions.get(key) ?? decisions.size;
		decisions.set(key, decision);
		file.lines.addBranch(line, decision, this.attributes.arms(tag, "path"), this.attributes.hits(tag, "vc"));
	}
};
function branchesWithoutLine(path, branches) {
	return `${path}: ${counted(branches, "branch", "branches")} left out: the report does not say on which line`;
}

// action/src/formats/other-formats.ts
const XML_FORMATS = [
	{
		name: "Crap4J XML",
		advice: "it carries no lines: let PHPUnit write --coverage-cobertura",
		hasRoot: ({ name }) => name === "crap_result"
	},
	{
		name: "gcovr's JaCoCo XML",
		advice: "it does not say which lines ran: let gcovr write --cobertura or --lcov",
		hasRoot: ({ name, attributes }) => name === "report" && /\sname="GCOVR/.test(attributes)
	},
	{
		name: "dotCover XML without lines",
		advice: "let dotCover write --ReportType=DetailedXML",
		hasRoot: ({ name, attributes }) => name === "Root" && /\sDotCoverVersion=/.test(attributes)
	},
	{
		name: "Bullseye's XML",
		advice: "it names functions and decisions, not all lines that ran: build with gcc --coverage or clang, and let gcovr or llvm-cov write LCOV",
		hasRoot: ({ name }) => name === "BullseyeCoverage"
	},
	{
		name: "Visual Studio's coverage data set",
		advice: "run \"dotnet-coverage merge -f cobertura\" on the .coverage file instead",
		hasRoot: ({ name }) => name === "CoverageDSPriv"
	}
];
const TEXT_FORMATS = [
	{
		name: "an Istanbul summary (json-summary)",
		advice: "it carries no lines: add the reporter lcov",
		pattern: /^\s*\{\s*"total"\s*:\s*\{\s*"lines"\s*:\s*\{/
	},
	{
		name: "gcovr's JSON summary",
		advice: "it carries no lines: run gcovr with --json or --lcov",
		pattern: /^\s*\{[^{[]*"gcovr\/summary_format_version"/
	},
	{
		name: "V8's raw coverage (NODE_V8_COVERAGE)",
		advice: "it carries no lines: let c8 make a report of it, \"c8 report --reporter=lcov\"",
		pattern: /^\s*\{\s*"result"\s*:\s*\[\s*\{\s*"scriptId"/
	},
	{
		name: "xccov's JSON report",
		advice: "it carries no lines: run \"xcrun xccov view --archive --json\" on the .xcresult",
		pattern: /^\s*\{\s*"(?:coveredLines|executableLines|lineCoverage|targets)"\s*:/
	},
	{
		name: "JaCoCo's data (jacoco.exec)",
		advice: "run \"mvn jacoco:report\" or \"gradle jacocoTestReport\" with reports.xml, and take its XML",
		pattern: /^\x01\xc0\xc0/
	},
	{
		name: "Go's coverage data",
		advice: "run \"go tool covdata textfmt -i=<folder> -o=cover.out\" and take cover.out",
		pattern: /^\0c[vw]m/
	},
	{
		name: "GCC's coverage data (.gcda, .gcno)",
		advice: "run \"lcov --capture --directory . --output-file coverage.info\" or \"gcovr --lcov coverage.info\"",
		pattern: /^(?:adcg|gcda|oncg|gcno)/
	},
	{
		name: "LLVM's profile data",
		advice: "run \"llvm-profdata merge\", then \"llvm-cov export -format=lcov\" with the program",
		pattern: /^(?:\x81[rR]forpl\xff|\xfflprofi\x81)/
	},
	{
		name: "Haskell's tick counts (.tix)",
		advice: "let hpc-lcov make LCOV of it, or hpc-codecov Codecov JSON",
		pattern: /^\s*Tix\s*\[/
	},
	{
		name: "scoverage's data",
		advice: "run \"sbt coverageReport\" and take scoverage.xml",
		pattern: /^# Coverage data, format version: /
	},
	{
		name: "coverage.py data",
		advice: "run \"coverage lcov\" or \"coverage xml\" first",
		pattern: /^SQLite format 3\0/
	},
	{
		name: "Devel::Cover's JSON",
		advice: "it carries no lines: run \"cover -report lcov\" (Devel::Cover::Report::Lcov)",
		pattern: /^\s*\{\s*"(?:runs|summary)"\s*:/
	},
	{
		name: "Devel::Cover's text",
		advice: "run \"cover -report clover\" (Devel::Cover::Report::Clover) instead",
		pattern: /^-[ -]*\r?\nFile +stmt /
	},
	{
		name: "luacov.stats.out",
		advice: "it cannot tell missed lines from lines that are not code: run \"luacov\" and take luacov.report.out",
		pattern: /^\d+:[^\n]+\n[\d ]+\n/
	}
];
function otherFormat$1(head) {
	const root = readFirstTag(head);
	return root === void 0 ? TEXT_FORMATS.find(({ pattern }) => pattern.test(head)) : XML_FORMATS.find(({ hasRoot }) => hasRoot(root));
}

// action/src/formats/salesforce.ts
const salesforce = {
	name: "salesforce",
	aliases: ["apex"],
	globs: ["test-result*codecoverage.json"],
	matches(head) {
		const root = readJsonHead(head);
		const result = root.has("result") ? membersOf(root.get("result")) : root;
		const classes = membersOf(result.get("coverage")).get("coverage");
		return isClass(root.get(0)) || isClass(membersOf(classes).get(0)) || hasTotals(membersOf(result.get("summary")));
	},
	parse: (report) => parseSalesforce(report)
};
function isClass(value) {
	return value instanceof Map && value.has("name") && value.has("totalLines");
}
function hasTotals(summary) {
	return summary.has("testRunCoverage") || summary.has("orgWideCoverage");
}
function parseSalesforce(report) {
	const packaged = /* @__PURE__ */ new Map();
	return {
		...parseJson(report, (hits, kind) => readResult(kind, hits, packaged)),
		packaged
	};
}
function readResult(kind, hits, packaged) {
	if (kind === "array") return {
		kind,
		open: () => readClass(hits, packaged)
	};
	const inner = /* @__PURE__ */ new Set(["result", "coverage"]);
	return {
		kind,
		open: (member, within) => inner.has(String(member)) ? readResult(within, hits, packaged) : void 0
	};
}
function readClass(hits, packaged) {
	return readNamed("name", (file, member) => member === "lines" ? readLines$1(file, hits) : void 0, (file, name) => {
		const known = hits.name(name);
		packaged.set(known, {
			modules: [],
			path: `${known}.cls`,
			otherPath: `${known}.trigger`
		});
		hits.file(known).merge(file);
	});
}
function readLines$1(file, hits) {
	return {
		kind: "object",
		value: (member, value) => {
			const line = hits.line(member);
			if (line > 0) file.addLine(line, hits.hits(value));
		}
	};
}

// action/src/formats/scoverage.ts
const scoverage = {
	name: "scoverage",
	globs: ["scoverage*.xml"],
	matches: (head) => readFirstTag(head)?.name === "scoverage",
	parse: parseScoverage
};
function parseScoverage(report) {
	const reader = new ScoverageReader();
	readXml(report, reader);
	return {
		files: reader.files.packed(),
		sources: [],
		warnings: reader.attributes.warnings(report.path)
	};
}
var ScoverageReader = class {
	files = new HitFiles();
	attributes = new LineAttributes();
	textOf = /* @__PURE__ */ new Set();
	#depth = 0;
	open(tag) {
		this.#depth += 1;
		if (this.#depth === 1 && tag.name !== "scoverage") throw tag.damaged(wrongRoot(tag.name, "scoverage"));
		if (tag.name === "statement") this.#readStatement(tag);
	}
	text() {}
	close() {
		this.#depth -= 1;
	}
	#readStatement(tag) {
		if (tag.says("ignored", "true")) return;
		const name = tag.attribute("source")?.trim();
		if (!name) throw wrong(tag, "source", "...");
		const line = this.attributes.line(tag, "line");
		if (line === 0) return;
		const hits = this.attributes.hits(tag, "invocation-count");
		const file = this.files.file(name);
		file.raiseLine(line, hits);
		if (tag.says("branch", "true")) this.#addArm(file, line, tag, hits);
	}
	#addArm(file, line, tag, hits) {
		file.addBranch(line, this.#offset(tag, "start"), this.#offset(tag, "end"), hits);
	}
	#offset(tag, attribute) {
		const offset = tag.digits(attribute);
		if (offset < 0) throw wrong(tag, attribute, "<offset>");
		return offset;
	}
};

// action/src/formats/simplecov.ts
const BRANCH = /^\[[^,]+, *\d+, *(\d+),/;
const NO_COMMANDS = /* @__PURE__ */ new Set([
	"total",
	"groups",
	"errors"
]);
const simpleCov = {
	name: "simplecov",
	globs: [".resultset.json", "resultset*.json"],
	matches(head) {
		const command = firstOf(readJsonHead(head));
		const files = membersOf(command.get("coverage"));
		return (firstOf(files).has("lines") || firstOf(files).has(0)) && (command.has("timestamp") || files.size > 0);
	},
	parse: (report) => parseSimpleCov(report)
};
const simpleCovJson = {
	name: "simplecov",
	globs: ["coverage.json"],
	matches(head) {
		const root = readJsonHead(head);
		if (root.has("files") && root.has("command_name")) return firstOf(root.get("files")).has("filename");
		if (membersOf(root.get("meta")).has("simplecov_version")) return true;
		const file = firstOf(root.get("coverage"));
		return file.has("lines") || file.has(0) && root.has("timestamp");
	},
	parse: (report) => parseSimpleCov(report)
};
function parseSimpleCov(report) {
	return parseJson(report, (hits) => ({
		kind: "object",
		open: (member, kind) => {
			if (member === "coverage") return readFiles(hits);
			if (member === "meta") return readMeta(hits);
			if (member === "files" && kind === "array") return readList(hits);
			return kind === "object" && !NO_COMMANDS.has(member) ? readCommand(hits) : void 0;
		}
	}));
}
function readMeta(hits) {
	return {
		kind: "object",
		value: (member, value) => {
			if (member === "root" && typeof value === "string") hits.sources.push(value);
		}
	};
}
function readCommand(hits) {
	return {
		kind: "object",
		open: (member) => member === "coverage" ? readFiles(hits) : void 0
	};
}
function readFiles(hits) {
	return {
		kind: "object",
		open: (name, kind) => {
			const file = hits.file(name);
			return kind === "array" ? readLines(file, hits) : readFile$3(file, hits);
		}
	};
}
function readList(hits) {
	const readListed = () => {
		let file;
		const known = () => file ?? hits.file(null);
		return {
			kind: "object",
			value: (member, value) => {
				if (member === "filename") file = hits.file(value);
			},
			open: (member, kind) => {
				if (member !== "coverage") return void 0;
				return kind === "array" ? readLines(known(), hits) : readFile$3(known(), hits);
			}
		};
	};
	return {
		kind: "array",
		open: readListed
	};
}
function readFile$3(file, hits) {
	return {
		kind: "object",
		open: (member, kind) => {
			if (member === "lines") return readLines(file, hits);
			if (member !== "branches") return void 0;
			return kind === "array" ? readBranchList(file, hits) : readBranches(file, hits);
		}
	};
}
function readLines(file, hits) {
	return {
		kind: "array",
		value: (index, value) => {
			if (value === null || value === "ignored") return;
			const line = hits.line(index + 1);
			file.addLine(line, hits.hits(value));
		}
	};
}
function readBranches(file, hits) {
	const readArms = (condition) => {
		const start = BRANCH.exec(String(condition))?.[1];
		if (start === void 0) throw hits.damaged(expectedForm("a branch like \"[:if, 0, 10, 4, 10, 51]\"", String(condition)));
		const [line, block] = [hits.line(Number(start)), branchKey(String(condition))];
		const readArm = (arm, value) => {
			if (line > 0 && value !== "ignored") file.addBranch(line, block, branchKey(String(arm)), hits.hits(value));
		};
		return {
			kind: "object",
			value: readArm
		};
	};
	return {
		kind: "object",
		open: readArms
	};
}
function readBranchList(file, hits) {
	const readArm = (index) => {
		const members = /* @__PURE__ */ new Map();
		return {
			kind: "object",
			value: (member, value) => members.set(member, value),
			close: () => {
				const taken = members.get("coverage") ?? null;
				if (taken === "ignored") return;
				const line = hits.line(members.get("start_line") ?? null);
				if (line > 0) file.addBranch(line, 0, index, hits.hits(taken));
			}
		};
	};
	return {
		kind: "array",
		open: readArm
	};
}

// action/src/formats/sonarqube.ts
const SWITCH = /* @__PURE__ */ new Map([["true", 1], ["false", 0]]);
const sonarqube = {
	name: "sonarqube",
	globs: ["*sonar*.xml", "generic-coverage.xml"],
	matches(head) {
		const root = readFirstTag(head);
		return root?.name === "coverage" && readFirstTag(root.rest ?? "")?.name === "file";
	},
	parse: parseSonarqube
};
function parseSonarqube(report) {
	const reader = new SonarqubeReader();
	readXml(report, reader);
	return {
		files: reader.files.packed(),
		sources: [],
		warnings: reader.attributes.warnings(report.path)
	};
}
var SonarqubeReader = class {
	files = new HitFiles();
	attributes = new LineAttributes();
	textOf = /* @__PURE__ */ new Set();
	#depth = 0;
	#file;
	#arms = new ArmCounts();
	open(tag) {
		this.#depth += 1;
		if (this.#depth === 1 && tag.name !== "coverage") throw tag.damaged(wrongRoot(tag.name));
		if (tag.name === "lineToCover") this.#readLine(tag);
		else if (tag.name === "file") this.#openFile(tag);
	}
	text() {}
	close(name) {
		this.#depth -= 1;
		if (name !== "file" || this.#file === void 0) return;
		this.#arms.moveTo(this.#file);
		this.#file = void 0;
	}
	#openFile(tag) {
		const name = tag.attribute("path")?.trim();
		if (!name) throw wrong(tag, "path", "...");
		this.#file = this.files.file(name);
		this.#arms.forget();
	}
	#readLine(tag) {
		if (this.#file === void 0) return;
		const line = this.attributes.line(tag, "lineNumber");
		if (line === 0) return;
		const hits = SWITCH.get(tag.attribute("covered") ?? "");
		if (hits === void 0) throw wrong(tag, "covered", "true|false");
		this.#file.raiseLine(line, hits);
		const [covered, all] = [this.attributes.arms(tag, "coveredBranches"), this.attributes.arms(tag, "branchesToCover")];
		if (covered > all) throw wrong(tag, "coveredBranches", "<arms>");
		if (all > 0) this.#arms.raise(line, covered, all);
	}
};

// action/src/formats/tarpaulin-json.ts
const tarpaulinJson = {
	name: "tarpaulin",
	globs: ["tarpaulin-report*.json"],
	matches: (head) => membersOf(firstOf(readJsonHead(head).get("files")).get("path")).has(0),
	parse: (report) => parseJson(report, (hits) => ({
		kind: "object",
		open: (member) => member === "files" ? {
			kind: "array",
			open: () => readFile$2(hits)
		} : void 0
	}))
};
function readFile$2(hits) {
	const file = new FileHits("");
	const parts = [];
	return {
		kind: "object",
		open: (member) => {
			if (member === "path") return {
				kind: "array",
				value: (_, part) => parts.push(part)
			};
			return member === "traces" ? {
				kind: "array",
				open: () => readTrace(file, hits)
			} : void 0;
		},
		close: () => hits.file(joined(parts)).merge(file)
	};
}
function joined([first, ...rest]) {
	if (first === void 0) return "";
	const root = String(first);
	return /[\\/]$/.test(root) ? root + rest.join("/") : [root, ...rest].join("/");
}
function readTrace(file, hits) {
	let line = null;
	let count;
	const readStats = {
		kind: "object",
		value: (member, value) => {
			if (member === "Line") count = value;
		}
	};
	return {
		kind: "object",
		value: (member, value) => {
			if (member === "line") line = value;
		},
		open: (member, kind) => member === "stats" && kind === "object" ? readStats : void 0,
		close: () => {
			if (count === void 0) return;
			const number = hits.line(line);
			if (number > 0) file.raiseLine(number, hits.hits(count));
		}
	};
}

// action/src/formats/xccov.ts
const xccov = {
	name: "xccov",
	globs: ["*xccov*.json", "*xcresult*.json"],
	matches: (head) => [...readJsonHead(head).values()].some((file) => membersOf(membersOf(file).get(0)).has("isExecutable")),
	parse: (report) => parseJson(report, (hits) => ({
		kind: "object",
		open: (name) => readFile$1(hits.file(name), hits)
	}))
};
function readFile$1(file, hits) {
	return {
		kind: "array",
		open: () => readLine(file, hits)
	};
}
function readLine(file, hits) {
	const members = /* @__PURE__ */ new Map();
	return {
		kind: "object",
		value: (member, value) => members.set(member, value),
		close: () => {
			if (members.get("isExecutable") !== true) return;
			const line = hits.line(members.get("line") ?? null);
			if (line > 0) file.addLine(line, hits.hits(members.get("executionCount") ?? 0));
		}
	};
}

// action/src/formats/formats.ts
const FORMATS = [
	lcov,
	cobertura,
	istanbul,
	jacoco,
	clover,
	openCover,
	dotCover,
	sonarqube,
	coveragePy,
	simpleCovJson,
	simpleCov,
	coverallsJson,
	gcovrJson,
	gcovJson,
	llvmJson,
	tarpaulinJson,
	codecovJson,
	xccov,
	go,
	luacov,
	develCover,
	gcov,
	llvmShow,
	dlang,
	dotnetCoverage,
	scoverage,
	covdir,
	salesforce
];
const FORMAT_NAMES = [...new Set(FORMATS.map((format) => format.name))].join(", ");
function formatNamed(name) {
	if (name === "") return void 0;
	const asked = name.toLowerCase();
	const format = FORMATS.find((known) => known.name === asked || known.aliases?.includes(asked));
	if (format !== void 0) return format;
	throw new ActionFailure("bad-input", `Input format: "${name}" is not a format that can be read. Known formats: ${FORMAT_NAMES}. Leave the input out to let the content decide.`);
}
function recognize(head) {
	const format = FORMATS.find((known) => known.matches(head));
	if (format !== void 0) return { format };
	if (head.trim() === "") return {
		format: void 0,
		reason: "it is empty"
	};
	if (/^(?:\xff\xfe|\xfe\xff)/.test(head)) return {
		format: void 0,
		reason: "it is UTF-16 text; write it as UTF-8"
	};
	const other = otherFormat$1(head);
	if (other !== void 0) return {
		format: void 0,
		reason: looksLike(other)
	};
	return {
		format: void 0,
		reason: `its content is none of the known formats (${FORMAT_NAMES})`
	};
}
function looksLike({ name, advice }) {
	return `it looks like ${name}; ${advice}`;
}

// action/src/report/walk-files.ts
const PRUNED = /* @__PURE__ */ new Set([
	"node_modules",
	"vendor",
	".git"
]);
function walkFiles(root, isAsked = () => true) {
	const found = [];
	const folders = [""];
	for (let folder = folders.pop(); folder !== void 0; folder = folders.pop()) for (const entry of entriesOf(join(root, folder))) {
		const { name } = entry;
		const isFolder = entry.isDirectory();
		if (isFolder ? PRUNED.has(name) : !isAsked(name)) continue;
		(isFolder ? folders : found).push(folder === "" ? name : `${folder}/${name}`);
	}
	return found.sort();
}
function entriesOf(folder) {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return [];
	}
}

// action/src/report/checkout.ts
async function readCheckout(git, folder, others = []) {
	for (const root of [folder, ...others]) {
		const listed = await git.listFiles(root);
		if (listed.length === 0) continue;
		const files = new Set(listed.map(({ name }) => name));
		const links = new Set(listed.filter(({ isPlain }) => !isPlain).map(({ name }) => name));
		return {
			root: withSlashes(resolve(root)),
			files,
			links,
			byGit: true
		};
	}
	return {
		root: withSlashes(resolve(folder)),
		files: new Set(walkFiles(folder)),
		links: /* @__PURE__ */ new Set(),
		byGit: false
	};
}
function rootSpellings(root) {
	const spellings = [root, withSlashes(realpathSync(root))];
	return [.../* @__PURE__ */ new Set([...spellings, ...spellings.flatMap((one) => [one.normalize("NFC"), one.normalize("NFD")])])];
}
function withSlashes(path) {
	return process.platform === "win32" ? path.replaceAll("\\", "/") : path;
}
const NOTHING$1 = {
	parts: 0,
	files: []
};
var TrackedFiles = class {
	checkout;
	roots;
	#realFolders = /* @__PURE__ */ new Map();
	#ranges = /* @__PURE__ */ new Map();
	#composed;
	#ends;
	constructor(checkout) {
		this.checkout = checkout;
		this.roots = rootSpellings(checkout.root);
	}
	inCheckout(name) {
		return this.roots.map((root) => below(root, name)).find((rest) => rest !== void 0);
	}
	at(path) {
		if (this.checkout.files.has(path)) return path;
		if (isAscii(path)) return void 0;
		this.#composed ??= Map.groupBy([...this.checkout.files].filter((file) => !isAscii(file)), (file) => file.normalize());
		const [file, ...others] = this.#composed.get(path.normalize()) ?? [];
		return others.length === 0 ? file : void 0;
	}
	throughLink(path) {
		const folder = posix.dirname(path);
		const real = this.#realFolder(folder);
		return real === void 0 ? void 0 : this.at(joinName(real, posix.basename(path)));
	}
	behindLink(path) {
		const { root, files, links } = this.checkout;
		const real = links.has(path) ? realPath(join(root, path)) : void 0;
		const inside = real && this.inCheckout(withSlashes(real));
		return inside !== void 0 && files.has(inside) && !links.has(inside) ? inside : path;
	}
	endingIn(end) {
		return this.#range(backwards(end));
	}
	bestEnd(path) {
		const asked = backwards(path);
		const ends = this.#sortedEnds();
		const at = this.#lowerBound(asked);
		const same = Math.max(...[ends[at - 1], ends[at]].map((one) => one === void 0 ? 0 : commonStart(asked, one[0])));
		if (same === 0) return NOTHING$1;
		return {
			parts: asked.slice(0, same).split("/").length - 1,
			files: this.#range(asked.slice(0, same))
		};
	}
	#realFolder(folder) {
		if (folder === "." || folder === "/") return "";
		if (!this.#realFolders.has(folder)) {
			const real = this.#realFolder(posix.dirname(folder)) === void 0 ? void 0 : realPath(join(this.checkout.root, folder));
			const isRoot = real !== void 0 && this.roots.includes(withSlashes(real));
			this.#realFolders.set(folder, isRoot ? "" : real && this.inCheckout(withSlashes(real)));
		}
		return this.#realFolders.get(folder);
	}
	#range(start) {
		const known = this.#ranges.get(start);
		if (known !== void 0) return known;
		const files = this.#sortedEnds().slice(this.#lowerBound(start), this.#lowerBound(`${start.slice(0, -1)}0`)).map(([, file]) => file).sort();
		this.#ranges.set(start, files);
		return files;
	}
	#lowerBound(end) {
		const ends = this.#sortedEnds();
		let [low, high] = [0, ends.length];
		while (low < high) {
			const middle = low + high >>> 1;
			if (ends[middle][0] < end) low = middle + 1;
			else high = middle;
		}
		return low;
	}
	#sortedEnds() {
		this.#ends ??= [...this.checkout.files].map((file) => [backwards(file), file]).sort(([a], [b]) => a < b ? -1 : 1);
		return this.#ends;
	}
};
function backwards(path) {
	return `${path.normalize().split("/").reverse().join("/")}/`;
}
function commonStart(a, b) {
	let same = 0;
	while (same < a.length && a[same] === b[same]) same += 1;
	return a.lastIndexOf("/", same - 1) + 1;
}
function isAscii(text) {
	return Buffer.byteLength(text) === text.length;
}

// action/src/report/name-filter.ts
function nameFilter(patterns) {
	const globs = patterns.map(parseGlob);
	const endings = patterns.map((pattern) => isGlob(extname(pattern)) ? void 0 : extname(pattern));
	const isAnyEnding = endings.includes(void 0);
	const known = /* @__PURE__ */ new Map();
	return (name) => {
		if (!isAnyEnding && !endings.includes(extname(name))) return false;
		let fits = known.get(name);
		if (fits === void 0) {
			fits = globs.some((glob) => glob.matches(name));
			known.set(name, fits);
		}
		return fits;
	};
}

// action/src/report/text-ends.ts
const LINE_FEED = 10;
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const MAX_SHOWN = 5;
var TextEnds = class {
	#files = [];
	#beyond = [];
	get files() {
		return this.#files;
	}
	within(file, text) {
		const end = text === void 0 ? Number.POSITIVE_INFINITY : lastLine(text, lastNamed(file));
		const { kept, left } = lastNamed(file) > end ? cutAt(file, end) : {
			kept: file,
			left: 0
		};
		if (left > 0) this.#beyond.push({
			name: file.name,
			left,
			lines: end
		});
		this.#files.push(kept);
		return kept;
	}
	tell(log) {
		if (this.#beyond.length === 0) return {};
		const found = { beyond_end: {
			lines: this.#beyond.reduce((sum, { left }) => sum + left, 0),
			files: this.#beyond.length
		} };
		for (const warning of leftOutWarnings(found)) log.warning(warning);
		for (const { name, left, lines: all } of this.#beyond.slice(0, MAX_SHOWN)) log.info(`  ${name} has ${counted(all, "line")}, and its report ${left} beyond them`);
		return found;
	}
};
function lastNamed(file) {
	let last = file.lastLine;
	file.eachBranch((line) => {
		if (line > last) last = line;
	});
	return last;
}
function lastLine(text, asked) {
	let lines = 0;
	let start = 0;
	for (let at = text.indexOf(LINE_FEED); at >= 0 && lines < asked; at = text.indexOf(LINE_FEED, start)) {
		lines += 1;
		start = at + 1;
	}
	if (start < text.length) lines += 1;
	if (lines >= asked) return lines;
	const others = text.toString("utf8").split(LINE_END);
	return others.at(-1) === "" ? others.length - 1 : others.length;
}
function cutAt(file, end) {
	const kept = new FileHits(file.name);
	const left = /* @__PURE__ */ new Set();
	file.eachLine((line, hits) => {
		if (line <= end) kept.addLine(line, hits);
		else left.add(line);
	});
	file.eachBranch((line, block, branch, hits) => {
		if (line <= end) kept.addBranch(line, block, branch, hits);
		else left.add(line);
	});
	return {
		kept,
		left: left.size
	};
}
const MAX_FILES_SHOWN = 5;
function leftOutWarnings({ files = 0, folders = [], ambiguous = 0, beyond_end: beyond }) {
	return [
		...files === 0 ? [] : [`Left out, because not in the checkout: ${counted(files, "file")}, in ${folders.join(", ")}`],
		...ambiguous === 0 ? [] : [`Left out, because several files of the checkout fit: ${counted(ambiguous, "file")}`],
		...beyond === void 0 ? [] : [`Left out, because beyond the end of the file: ${counted(beyond.lines, "line")} of ${counted(beyond.files, "file")}. Check that the tests ran on the files that are checked out`]
	];
}
function someOf(texts) {
	const more = texts.length > MAX_FILES_SHOWN ? ` and ${texts.length - MAX_FILES_SHOWN} more` : "";
	return `${texts.slice(0, MAX_FILES_SHOWN).join(", ")}${more}`;
}

// action/src/report/find-reports.ts
function findReports(search, log) {
	const isSearch = search.patterns.length === 0;
	const candidates = isSearch ? knownFiles(search) : search.patterns.flatMap((pattern) => filesOf$1(pattern, search, log));
	const unique = [...new Map(candidates.map((file) => [file.absolute, file])).values()];
	const asked = unique.filter((file) => !isSearch || isAsked(file, search, log));
	const others = [];
	const recognized = asked.flatMap((file) => recognizeFile(file, search, others));
	tellOthers(others, log);
	const reports = isSearch ? onePerFolder(recognized, log) : recognized;
	if (reports.length === 0 && !search.allowEmpty) throw nothingFound(search, unique.length);
	for (const report of reports) log.info(`Report: ${report.path} (${report.format.name})`);
	return reports.sort((a, b) => a.path < b.path ? -1 : 1);
}
function knownFiles({ workspace, format }) {
	const isReport = nameFilter((format === void 0 ? FORMATS : [format]).flatMap((known) => known.globs));
	return walkFiles(workspace, isReport).map((path) => ({
		absolute: resolve(workspace, path),
		path,
		named: false
	})).filter(({ absolute }) => isFile(absolute));
}
function filesOf$1(pattern, { workspace, allowEmpty }, log) {
	const absolute = resolve(workspace, pattern);
	if (isFile(absolute)) return [{
		absolute,
		path: shownPath(workspace, absolute),
		named: true
	}];
	if (!isGlob(pattern)) {
		if (!allowEmpty) throw missing(pattern, workspace);
		log.info(`There is no file ${pattern} in ${workspace}. Treated as empty: allow-empty is set.`);
		return [];
	}
	const slashed = process.platform === "win32" ? pattern.replaceAll("\\", "/") : pattern;
	const glob = parseGlob(slashed);
	const folder = resolve(workspace, glob.folder);
	const prefix = glob.folder === "" ? "" : `${glob.folder.replace(/\/$/, "")}/`;
	return walkFiles(folder).filter((path) => glob.matches(prefix + path)).map((path) => ({
		absolute: resolve(folder, path),
		path: shownPath(workspace, resolve(folder, path)),
		named: false
	})).filter((file) => isFile(file.absolute));
}
function missing(pattern, workspace) {
	return new ActionFailure("report-missing", `There is no file ${pattern} in ${workspace}. ${knownFilesHint(workspace)}`);
}
function isAsked(file, { format }, log) {
	if (format === void 0) return true;
	const head = withReportFile(file, readHead);
	if (head.trim() === "" || format.matches(head)) return true;
	const found = recognize(head);
	log.info(notAReport(file.path, found.format === void 0 ? found.reason : otherFormat(found.format.name)));
	return false;
}
function tellOthers(others, log) {
	const groups = Map.groupBy(others, ({ path, reason }) => JSON.stringify([posix.dirname(path), reason]));
	for (const [first, ...more] of groups.values()) {
		if (first === void 0) continue;
		const where = more.length === 0 ? first.path : `${counted(more.length + 1, "file")} in ${posix.dirname(first.path)}`;
		log.info(notAReport(where, first.reason));
	}
}
function recognizeFile(file, { format, allowEmpty, workspace }, others) {
	const head = withReportFile(file, readHead);
	const found = recognize(head);
	if (format !== void 0 && head.trim() !== "") {
		if (found.format === void 0 || found.format.name === format.name || format.matches(head)) return [{
			...file,
			format,
			isLinked: isLinked(file, workspace)
		}];
		const reason = otherFormat(found.format.name);
		throw new ActionFailure("report-not-understood", unreadable(file.path, {
			reason,
			isEmpty: false
		}));
	}
	if (found.format !== void 0) return [{
		...file,
		format: found.format,
		isLinked: isLinked(file, workspace)
	}];
	const isEmpty = head.trim() === "";
	if (!file.named || isEmpty && allowEmpty) {
		others.push({
			path: file.path,
			reason: found.reason
		});
		return [];
	}
	throw new ActionFailure(isEmpty ? "report-empty" : "report-not-understood", unreadable(file.path, {
		reason: found.reason,
		isEmpty
	}));
}
function onePerFolder(reports, log) {
	const formats = /* @__PURE__ */ new Map();
	for (const format of FORMATS) for (const report of reports) {
		const folder = folderOf$1(report);
		if (report.format === format && !formats.has(folder)) formats.set(folder, format);
	}
	return reports.filter((report) => {
		const taken = formats.get(folderOf$1(report));
		if (taken !== void 0 && taken !== report.format) log.info(`Skipped: ${report.path} (${report.format.name}): its folder holds ${taken.name} too. Name it in "file" to include it.`);
		return taken === report.format;
	});
}
function folderOf$1({ path }) {
	return posix.dirname(path).replace(/(?<=^|\/)scoverage-report$/, "coverage-report");
}
function nothingFound({ workspace, patterns, format }, candidates) {
	const formats = format === void 0 ? FORMATS : [format];
	const searched = patterns.length > 0 ? patterns.join(", ") : formats.map((known) => `${known.globs.map((glob) => `**/${glob}`).join(", ")} (${known.name})`).join(", ");
	const isDefault = patterns.length === 0;
	const hint = isDefault ? "Name your report in the input \"file\"." : knownFilesHint(workspace);
	const known = isDefault || candidates > 0 ? "" : ` Known formats: ${FORMAT_NAMES}.`;
	const skipped = isDefault ? " node_modules, vendor and .git were left out." : "";
	const outcome = candidates > 0 ? `${counted(candidates, "file was", "files were")} found that cannot be read as coverage` : "no such file was found";
	return new ActionFailure("report-missing", `No coverage report: searched ${workspace} for ${searched}, but ${outcome}.${skipped} ${hint}${known} Check that the tests ran with coverage on, before this step.`);
}
function knownFilesHint(workspace) {
	const found = knownFiles({
		workspace,
		format: void 0
	}).map((file) => file.path);
	return found.length === 0 ? "There is no file with a common report name either." : `Files there that are named like reports: ${someOf(found)}.`;
}
function isFile(path) {
	try {
		return statSync(path).isFile();
	} catch {
		return false;
	}
}
function isLinked({ absolute }, workspace) {
	return realPath(absolute) !== resolve(realPath(workspace) ?? workspace, relative(workspace, absolute));
}
function shownPath(workspace, absolute) {
	const path = relative(workspace, absolute).replaceAll("\\", "/");
	return path.startsWith("../") ? absolute : path;
}
function notAReport(path, reason) {
	return `Not a report: ${path}: ${reason}`;
}
function otherFormat(name) {
	return `it is ${name}, another format than the input format names`;
}
function unreadable(path, { reason, isEmpty }) {
	return `${path} cannot be read as coverage: ${reason}.${isEmpty ? " Check that the tests ran with coverage on." : ""}`;
}

// action/src/report/go-modules.ts
const MAX_MANIFEST_BYTES$1 = 1 << 20;
const IGNORED = /(?:^|\/)(?:testdata|vendor|[_.][^/]*)\//;
function mapImportPaths(names, { checkout, around }) {
	const modules = Map.groupBy(readModules(checkout), (module) => module.path);
	const paths = [...modules.keys()].sort((a, b) => b.length - a.length);
	const mapped = /* @__PURE__ */ new Map();
	let known = false;
	for (const name of names) {
		if (isAbsoluteName(name) || name.startsWith(".") || name.startsWith("_/")) continue;
		const holding = paths.filter((path) => below(path, name) !== void 0);
		known ||= holding.length > 0;
		const found = holding.map((path) => filesOf(name, modules.get(path) ?? [], checkout));
		mapped.set(name, nearest$1(found.find((files) => files.length > 0) ?? [], around));
	}
	return known ? mapped : void 0;
}
function filesOf(name, modules, { files }) {
	return modules.map(({ path, folder }) => joinName(folder === "" ? "." : folder, below(path, name) ?? "")).filter((path) => files.has(path));
}
function nearest$1(files, around) {
	if (files.length < 2) return files;
	const built = files.filter((file) => !IGNORED.test(file));
	const likely = built.length > 0 ? built : files;
	const folder = around.find((one) => one !== "" && likely.some((file) => below(one, file) !== void 0));
	return folder === void 0 ? likely : likely.filter((file) => below(folder, file) !== void 0);
}
function readModules({ root, files }) {
	const modules = [];
	const used = /* @__PURE__ */ new Set();
	for (const file of files) {
		const base = posix.basename(file);
		if (base !== "go.mod" && base !== "go.work") continue;
		const folder = posix.dirname(file) === "." ? "" : posix.dirname(file);
		const text = readSmall(join(root, file), MAX_MANIFEST_BYTES$1) ?? "";
		const path = base === "go.mod" ? modulePath(text) : void 0;
		if (path !== void 0) modules.push({
			path,
			folder
		});
		if (base === "go.work") for (const use of usedFolders(text)) used.add(joinFolder(folder, use));
	}
	const usedPaths = new Set(modules.filter(({ folder }) => used.has(folder)).map(({ path }) => path));
	return modules.filter(({ path, folder }) => used.has(folder) || !usedPaths.has(path));
}
function modulePath(text) {
	const [, path] = /^[ \t]*module[ \t]+("[^"\n]+"|`[^`\n]+`|[^\s"`]+)/m.exec(text) ?? [];
	return path?.replaceAll(/["`]/g, "");
}
function usedFolders(text) {
	const folders = [];
	let inUse = false;
	for (const line of text.split("\n")) {
		const words = (line.split("//", 1)[0] ?? "").trim().split(/\s+/);
		const isUse = words[0] === "use";
		const folder = isUse ? words[1] : words[0];
		if (isUse && folder?.startsWith("(")) inUse = true;
		else if (folder === ")") inUse = false;
		else if ((isUse || inUse) && folder) folders.push(folder.replaceAll(/["`]/g, ""));
	}
	return folders;
}
function joinFolder(folder, use) {
	const joined = posix.normalize(`${folder === "" ? "." : folder}/${use}`).replace(/\/$/, "");
	return joined === "." ? "" : joined;
}

// action/src/report/common-prefixes.ts
const FOLDERS$1 = [
	"/home/runner/work/*/*",
	"/Users/runner/work/*/*",
	"/__w/*/*",
	"/github/workspace",
	"D:/a/*/*",
	"C:/a/*/*",
	"/home/vsts/work/*/s",
	"/_work/*/*",
	"/*/_work/*/*",
	"/*/*/_work/*/*",
	"/*/*/*/_work/*/*",
	"/builds/*/*",
	"/builds/*/*/*",
	"/builds/*/*/*/*",
	"/builds/*/*/*/*/*",
	"/home/gitlab-runner/builds/*/*/*/*",
	"C:/GitLab-Runner/builds/*/*/*/*",
	"/home/circleci/project",
	"/home/circleci/*",
	"/root/project",
	"/Users/distiller/project",
	"/home/travis/build/*/*",
	"/Users/travis/build/*/*",
	"C:/Users/travis/build/*/*",
	"/opt/atlassian/pipelines/agent/build",
	"/bitrise/src",
	"/Users/vagrant/git",
	"C:/projects/*",
	"/home/appveyor/projects/*",
	"/var/jenkins_home/workspace/*",
	"/var/jenkins_home/workspace/*/*",
	"/var/lib/jenkins/workspace/*",
	"/var/lib/jenkins/workspace/*/*",
	"/home/jenkins/workspace/*",
	"/home/jenkins/workspace/*/*",
	"/home/jenkins/agent/workspace/*",
	"/home/jenkins/agent/workspace/*/*",
	"/var/lib/buildkite-agent/builds/*/*/*",
	"/buildkite/builds/*/*/*",
	"/drone/src",
	"/woodpecker/src/*/*/*",
	"/tmp/cirrus-ci-build",
	"/home/semaphore/*",
	"/codefresh/volume/*",
	"/codebuild/output/*/src",
	"/codebuild/output/*/src/*/*/*",
	"/opt/buildagent/work/*",
	"/home/rof/src/*/*/*",
	"/Volumes/workspace/repository",
	"/vercel/path0",
	"/opt/build/repo",
	"/opt/render/project/src",
	"/home/build/*",
	"/app",
	"/usr/src/app",
	"/usr/src/*",
	"/usr/app",
	"/opt/app",
	"/srv/app",
	"/home/node/app",
	"/var/www/html",
	"/var/www/*",
	"/go/src/*/*/*",
	"/workspace",
	"/workspace/*",
	"/workspaces/*",
	"/code"
];
const byPart = /* @__PURE__ */ new Map();
for (const folder of FOLDERS$1) {
	const parts = folder.split("/");
	const at = parts.findIndex((part) => part !== "" && part !== "*");
	const part = parts[at].toLowerCase();
	byPart.set(part, [...byPart.get(part) ?? [], {
		parts,
		at
	}]);
}
const DEEPEST_PART = Math.max(...[...byPart.values()].flat().map(({ at }) => at));
function commonPrefixes(name) {
	const parts = name.split("/");
	const fitting = parts.slice(0, DEEPEST_PART + 1).flatMap((part, at) => (byPart.get(part.toLowerCase()) ?? []).filter((folder) => folder.at === at)).filter((folder) => folder.parts.length < parts.length && folder.parts.every((part, at) => fits(part, parts[at])));
	return [...new Set(fitting.map((folder) => `${parts.slice(0, folder.parts.length).join("/")}/`))];
}
function isCommonPrefix(start) {
	return commonPrefixes(`${start}x`).includes(start);
}
function fits(pattern, part = "") {
	if (pattern === "*" || pattern === part) return true;
	return isAbsoluteName(`${part}/`) && (pattern === "" || pattern.toLowerCase() === part.toLowerCase());
}

// action/src/report/name-moves.ts
const MAX_TRIED = 20;
var MoveCounts = class {
	#moves = /* @__PURE__ */ new Map();
	add({ from, to }, { isStrong }) {
		const ofStart = this.#moves.get(from) ?? /* @__PURE__ */ new Map();
		const move = ofStart.get(to) ?? {
			from,
			to,
			votes: 0,
			strong: 0
		};
		move.votes += 1;
		if (isStrong) move.strong += 1;
		this.#moves.set(from, ofStart.set(to, move));
	}
	all() {
		return [...this.#moves.values()].flatMap((ofStart) => [...ofStart.values()]);
	}
};
function sureMoves(counts, open, { tracked, folders, isWhole }) {
	const shared = isWhole ? sharedStart(open, tracked) : void 0;
	const isSure = ({ from, strong }) => strong > 1 || from === "/" || shared !== void 0 && from !== "" && shared.start.startsWith(from) && (strong > 0 || shared.isFolderOfAll) || isCommonPrefix(from);
	const sure = counts.all().filter(isSure);
	const elsewhere = sure.filter(({ to }) => to !== "").sort((a, b) => b.votes - a.votes || (a.from + a.to < b.from + b.to ? -1 : 1));
	for (const move of elsewhere.slice(0, MAX_TRIED)) move.votes = Math.max(move.votes, countFitting(open, move, tracked));
	const isNear = ({ to }) => folders.some((folder) => to.startsWith(`${folder}/`));
	sure.sort((a, b) => a.votes - b.votes || Number(isNear(a)) - Number(isNear(b)) || (a.to < b.to ? 1 : -1));
	return new Map(sure.map((move) => [move.from, move]));
}
function countFitting(open, move, tracked) {
	const fits = (spelling) => applies(move, spelling) && tracked.at(moved(spelling, move)) !== void 0;
	return open.filter(({ spellings }) => spellings.some(fits)).length;
}
function sharedStart(open, tracked) {
	const names = open.filter(({ spellings }) => !spellings.every(isForeignName)).map(({ spellings }) => spellings.find(isAbsoluteName) ?? "");
	let start = folderOf(names[0] ?? "");
	for (const name of names) while (!name.startsWith(start)) start = folderOf(start.slice(0, -1));
	const isAlone = (name) => {
		const base = posix.basename(name);
		const files = tracked.endingIn(base);
		return folderOf(name) === start && files.length === 1 && tracked.at(base) === files[0];
	};
	return start === "" ? void 0 : {
		start,
		isFolderOfAll: names.every(isAlone)
	};
}
function folderOf(name) {
	return name.slice(0, name.lastIndexOf("/") + 1);
}
function moveOf(spellings, moves) {
	if (moves.size === 0) return void 0;
	let best;
	for (const spelling of spellings) for (let from = folderOf(spelling);; from = folderOf(from.slice(0, -1))) {
		const move = moves.get(from);
		if (move !== void 0 && applies(move, spelling) && (best === void 0 || isSurer(move, best))) best = move;
		if (from === "") break;
	}
	return best;
}
function isSurer(a, b) {
	if (a.votes !== b.votes) return a.votes > b.votes;
	return a.to === b.to ? a.from.length < b.from.length : a.from.length > b.from.length;
}
function applies({ from }, spelling) {
	return from === "" ? !isAbsoluteName(spelling) : spelling.startsWith(from);
}
function moved(spelling, { from, to }) {
	return to + spelling.slice(from.length);
}

// action/src/report/guess-names.ts
function weighNames(open, places) {
	const moves = new MoveCounts();
	const candidates = /* @__PURE__ */ new Map();
	const near = nearest(places.folders);
	for (const { name, spellings } of open) {
		for (const spelling of spellings) countPlaces(spelling, places, moves);
		const best = bestCandidates(spellings, places.tracked);
		if (best === void 0) continue;
		const files = near(best.files);
		candidates.set(name, {
			from: best.from,
			files
		});
		const [only] = files;
		const to = only === void 0 || files.length > 1 ? "" : cutParts(only, best.parts);
		if (to !== "") moves.add({
			from: best.from,
			to
		}, { isStrong: true });
	}
	return {
		moves: sureMoves(moves, open, places),
		candidates
	};
}
function movedPath({ spellings }, { moves }, tracked) {
	const move = moveOf(spellings, moves);
	const paths = spellings.filter((spelling) => move && applies(move, spelling)).map((one) => moved(one, move));
	return first(paths, (path) => tracked.at(path)) ?? first(paths, (path) => tracked.throughLink(path));
}
function guessSingly(open, { moves, candidates }, taken) {
	const ambiguous = /* @__PURE__ */ new Map();
	const fitting = /* @__PURE__ */ new Map();
	for (const { name, spellings } of open) {
		const { from = "", files = [] } = candidates.get(name) ?? {};
		const [only] = files;
		const usual = moveOf(spellings, moves);
		const isElsewhere = usual !== void 0 && usual.from !== "" && usual.votes > 1;
		if (files.length > 1) ambiguous.set(name, files);
		else if (only !== void 0 && !isElsewhere && !taken.has(only)) fitting.set(only, [...fitting.get(only) ?? [], {
			name,
			from
		}]);
	}
	const paths = /* @__PURE__ */ new Map();
	for (const [path, names] of fitting) {
		const shortest = Math.min(...names.map(({ from }) => from.length));
		const outer = names.filter(({ from }) => from.length === shortest);
		const [{ name, from } = {
			name: "",
			from: ""
		}] = outer;
		if (outer.length === 1 && names.every((other) => other.from.startsWith(from))) paths.set(name, path);
	}
	return {
		paths,
		ambiguous
	};
}
function countPlaces(spelling, { tracked, folders }, moves) {
	if (!isAbsoluteName(spelling) && !isImportPath(spelling)) return;
	const isSystem = isSystemName(spelling);
	for (let at = spelling.indexOf("/"); at >= 0; at = spelling.indexOf("/", at + 1)) {
		const from = spelling.slice(0, at + 1);
		const rest = spelling.slice(at + 1);
		if ((!isSystem || from === "/") && tracked.at(rest) !== void 0 && !isForeignName(from)) moves.add({
			from,
			to: ""
		}, { isStrong: rest.includes("/") });
	}
	if (folders.length === 0) return;
	for (const from of commonPrefixes(spelling)) {
		const folder = folders.find((one) => tracked.at(joinName(one, spelling.slice(from.length))) !== void 0);
		if (folder !== void 0) moves.add({
			from,
			to: `${folder}/`
		}, { isStrong: false });
	}
}
function bestCandidates(spellings, tracked) {
	const found = spellings.map((spelling) => ({
		spelling,
		...tracked.bestEnd(spelling)
	})).map(({ spelling, parts, files }) => ({
		spelling,
		parts,
		files,
		from: cutParts(spelling, parts)
	})).filter(isPlausible);
	const max = Math.max(...found.map(({ parts }) => parts));
	return found.find(({ parts }) => parts === max);
}
function isPlausible({ spelling, parts, from }) {
	if (isAbsoluteName(spelling) || isImportPath(spelling)) return parts > 1 && !isSystemName(spelling) && !isForeignName(from);
	return /^(?:\.\.\/)*$/.test(from) && !isForeignName(spelling);
}
function isImportPath(spelling) {
	const [host = "", ...rest] = spelling.split("/", 3);
	return rest.length === 2 && host.slice(1, -1).includes(".");
}
function nearest(folders) {
	const known = /* @__PURE__ */ new Map();
	const narrowed = (files) => {
		const folder = folders.find((one) => files.some((path) => path.startsWith(`${one}/`)));
		return folder === void 0 ? files : files.filter((path) => path.startsWith(`${folder}/`));
	};
	return (files) => {
		if (files.length < 2) return files;
		const found = known.get(files) ?? narrowed(files);
		known.set(files, found);
		return found;
	};
}
function cutParts(path, parts) {
	let end = path.length;
	for (let left = parts; left > 0; left -= 1) end = path.lastIndexOf("/", end - 1);
	return path.slice(0, end + 1);
}
function first(all, find) {
	for (const one of all) {
		const found = find(one);
		if (found !== void 0) return found;
	}
}

// action/src/report/installed-copies.ts
const FOLDERS = /* @__PURE__ */ new Set([
	"site-packages",
	"dist-packages",
	"node_modules"
]);
const PYTHON = /\.py[ix]?$/;
const MAX_MANIFEST_BYTES = 1 << 20;
function findInstalled(open, tracked) {
	const paths = /* @__PURE__ */ new Map();
	const ambiguous = /* @__PURE__ */ new Map();
	const manifests = /* @__PURE__ */ new Map();
	const manifestIn = (folder) => {
		if (!manifests.has(folder)) manifests.set(folder, readSmall(join(tracked.checkout.root, folder, "package.json"), MAX_MANIFEST_BYTES));
		return manifests.get(folder);
	};
	for (const installed of packagesAmong(open).values()) {
		const folders = foldersOf$1(installed, {
			tracked,
			manifestIn
		});
		for (const [name, end] of installed.ends) {
			const found = folders.flatMap((folder) => tracked.at(folder + end) ?? []);
			if (found.length === 1) paths.set(name, found[0]);
			if (found.length > 1) ambiguous.set(name, found.sort());
		}
	}
	return {
		paths,
		ambiguous
	};
}
function packagesAmong(open) {
	const packages = /* @__PURE__ */ new Map();
	for (const { name, spellings } of open) {
		const split = spellings.map(splitInstalled).find((one) => one !== void 0);
		if (split === void 0) continue;
		const { folder, package: own, isNode, end } = split;
		const key = JSON.stringify([folder, own]);
		const known = packages.get(key) ?? {
			package: own,
			isNode,
			ends: /* @__PURE__ */ new Map()
		};
		packages.set(key, known);
		known.ends.set(name, end);
	}
	return packages;
}
function splitInstalled(spelling) {
	const parts = spelling.split("/");
	const at = parts.findLastIndex((part) => FOLDERS.has(part));
	const rest = parts.slice(at + 1);
	const isNode = parts[at] === "node_modules";
	if (at < 0 || !(isNode || PYTHON.test(spelling))) return void 0;
	const size = isNode && rest[0]?.startsWith("@") ? 2 : 1;
	const end = rest.slice(isNode ? size : 0).join("/");
	return {
		folder: parts.slice(0, at + 1).join("/"),
		package: rest.slice(0, size).join("/"),
		isNode,
		end
	};
}
function foldersOf$1(installed, { tracked, manifestIn }) {
	const held = /* @__PURE__ */ new Map();
	for (const end of installed.ends.values()) for (const file of tracked.endingIn(end)) {
		const folder = file.slice(0, file.length - end.length);
		held.set(folder, (held.get(folder) ?? 0) + 1);
	}
	const holds = installed.isNode ? isNodePackage(installed, manifestIn) : isPythonPackage(installed);
	const fitting = [...held].filter(([folder, count]) => holds(folder, count));
	const max = Math.max(...fitting.map(([, count]) => count));
	return fitting.filter(([, count]) => count === max).map(([folder]) => folder);
}
function isPythonPackage({ ends }) {
	const isModule = [...ends.values()].every((end) => !end.includes("/"));
	return (folder, count) => count * 2 >= ends.size && (!isModule || folder === "" || folder === "src/") && !isForeignName(folder) && !folder.endsWith("_vendor/");
}
function isNodePackage({ package: own, ends }, manifestIn) {
	return (folder, count) => {
		const manifest = manifestIn(folder);
		if (manifest !== void 0) return nameIn(manifest) === own;
		return count === ends.size && posix.basename(folder) === posix.basename(own);
	};
}
function nameIn(manifest) {
	try {
		return JSON.parse(manifest)?.name;
	} catch {
		return;
	}
}

// action/src/report/package-names.ts
const SHORTENS = /\.(?:kts?|scala|groovy)$/;
const ROOT = /(?:^|\/)(?:java|kotlin|scala|groovy|src)\/$/;
function placePackages(packaged, { tracked, folders }) {
	const paths = /* @__PURE__ */ new Map();
	const ambiguous = /* @__PURE__ */ new Map();
	const modules = Map.groupBy(packaged, ([, { modules }]) => JSON.stringify(modules));
	for (const named of modules.values()) {
		const candidates = new Map(named.map(([name, { path, otherPath = path }]) => [name, [.../* @__PURE__ */ new Set([path, otherPath])].flatMap((end) => candidatesFor(end, tracked))]));
		const votes = countRoots(candidates.values());
		for (const [name, { modules: own }] of named) {
			const found = narrowed(candidates.get(name) ?? [], {
				folders,
				module: own.at(-1) ?? "",
				votes
			});
			if (found.length === 1) paths.set(name, pathOf(found[0]));
			else if (found.length > 0) ambiguous.set(name, found.map(pathOf).sort());
		}
	}
	return {
		paths,
		ambiguous
	};
}
function pathOf({ root, end }) {
	return root + end;
}
function candidatesFor(path, tracked) {
	for (let end = path;; end = end.slice(end.indexOf("/") + 1)) {
		const found = tracked.endingIn(end).map((file) => ({
			root: file.slice(0, file.length - end.length),
			end
		})).filter(({ root }) => end === path || ROOT.test(root));
		if (found.length > 0 || !SHORTENS.test(path) || !end.includes("/")) return found;
	}
}
function countRoots(candidates) {
	const votes = /* @__PURE__ */ new Map();
	for (const found of candidates) for (const { root } of found) votes.set(root, (votes.get(root) ?? 0) + 1 / found.length ** 2);
	return votes;
}
function narrowed(candidates, { folders, module, votes }) {
	if (candidates.length < 2) return candidates;
	const first = folders.find((folder) => candidates.some(({ root }) => root.startsWith(`${folder}/`)));
	const near = first === void 0 ? candidates : candidates.filter(({ root }) => root.startsWith(`${first}/`));
	const named = near.filter(({ root }) => root.split("/").includes(module));
	const left = named.length > 0 ? named : near;
	const max = Math.max(...left.map(({ root }) => votes.get(root) ?? 0));
	return left.filter(({ root }) => votes.get(root) === max);
}

// action/src/report/resolve-names.ts
function createResolveNames(options) {
	const tracked = new TrackedFiles(options.checkout);
	return (report, place) => resolveNames(report, {
		...options,
		...place,
		tracked
	});
}
function resolveNames(report, options) {
	const { tracked, pathMap = [] } = options;
	const places = placesOf(report, options);
	const paths = /* @__PURE__ */ new Map();
	const ambiguous = /* @__PURE__ */ new Map();
	const open = [];
	const imported = report.importPaths ? mapImportPaths(report.names, {
		...options,
		around: places.around
	}) : void 0;
	for (const name of report.names) {
		const forms = writtenForms(name);
		const moved = moveName(spellings(forms, places), pathMap);
		const mapped = moved && tracked.at(moved);
		if (mapped) paths.set(name, mapped);
		if (moved !== void 0 || report.packaged?.has(name)) continue;
		const found = imported?.get(name) ?? find(forms, places);
		if (found[0] !== void 0) paths.set(name, found[0]);
		else if (!imported?.has(name)) open.push({
			name,
			spellings: spellings(forms, places)
		});
		if (found.length > 1) ambiguous.set(name, found);
	}
	const found = {
		paths,
		ambiguous
	};
	add(found, placePackages(report.packaged ?? /* @__PURE__ */ new Map(), {
		tracked,
		folders: foldersOf(places)
	}));
	guessOpen(open, found, {
		...places,
		isPlaced: report.isPlaced === true
	});
	for (const [name, path] of paths) paths.set(name, tracked.behindLink(path));
	return found;
}
function add({ paths, ambiguous }, guesses) {
	for (const [name, path] of guesses.paths) paths.set(name, path);
	for (const [name, candidates] of guesses.ambiguous) ambiguous.set(name, candidates);
}
function guessOpen(open, found, places) {
	const { tracked, isPlaced } = places;
	const isOpen = ({ name }) => !found.paths.has(name) && !found.ambiguous.has(name);
	const elsewhere = open.filter(({ spellings: [written = ""] }) => tracked.inCheckout(written) === void 0);
	const isWhole = found.paths.size === 0 && elsewhere.length === open.length && !isPlaced;
	const evidence = weighNames(elsewhere, {
		tracked,
		folders: foldersOf(places),
		isWhole
	});
	for (const one of elsewhere) {
		const path = movedPath(one, evidence, tracked);
		if (path !== void 0) found.paths.set(one.name, path);
	}
	add(found, findInstalled(open.filter(isOpen), tracked));
	const isLikely = ({ name }) => !isPlaced || evidence.candidates.get(name)?.from !== `${posix.dirname(name)}/`;
	const single = elsewhere.filter((one) => isOpen(one) && isLikely(one));
	add(found, guessSingly(single, evidence, new Set(found.paths.values())));
}
function foldersOf({ first, around }) {
	return [...first, ...around].filter((folder) => folder !== "");
}
function placesOf(report, { tracked, basePath, isOneOfSeveral }) {
	const clean = basePath === "" ? "" : cleanName(basePath);
	const sources = [...new Set(report.sources.map(cleanName))];
	const base = isAbsoluteName(clean) ? tracked.inCheckout(clean) ?? "" : clean;
	const around = foldersAround(tracked.inCheckout(report.path));
	return {
		tracked,
		first: base === "" ? [] : [...isOneOfSeveral ? around.filter((folder) => !isAround(folder, base)) : [], base],
		sources: sources.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)),
		around
	};
}
function isAround(folder, base) {
	return folder === "" || folder === base || base.startsWith(`${folder}/`);
}
function foldersAround(path) {
	const folders = [];
	for (let folder = posix.dirname(path ?? ""); folder !== "."; folder = posix.dirname(folder)) folders.push(folder);
	return [...folders, ""];
}
function find(forms, places) {
	const { tracked } = places;
	for (const at of [tracked.at, tracked.throughLink]) for (const form of forms) {
		const found = findAt(form, places, at.bind(tracked));
		if (found.length > 0) return found;
	}
	return [];
}
function findAt(name, places, at) {
	const { tracked, first, sources, around } = places;
	const [found] = filesAt(first.map((folder) => joinName(folder, name)), at);
	if (found !== void 0) return [found];
	if (isAbsoluteName(name)) return filesAt([tracked.inCheckout(name)], at);
	const ofSources = filesAt(sources.map((source) => joinName(source, name)).map((joined) => isAbsoluteName(joined) ? tracked.inCheckout(joined) : joined), at);
	if (ofSources.length > 0) return [...new Set(ofSources)];
	return filesAt(around.map((folder) => joinName(folder, name)), at).slice(0, 1);
}
function filesAt(paths, at) {
	return paths.flatMap((path) => path === void 0 ? [] : at(path) ?? []);
}
function spellings(forms, { sources }) {
	const folders = sources.filter((source) => isAbsoluteName(source));
	const below = forms.filter((form) => !isAbsoluteName(form)).flatMap((form) => folders.map((one) => joinName(one, form)));
	return [...forms, ...below];
}

// action/src/report/source-files.ts
const BASE_PATH = "give the folder that names begin in as \"base-path\"";
const MAX_FOLDERS_LISTED = 100;
const MAX_AMBIGUOUS_LISTED = 10;
const MAX_FOLDERS = 5;
function collectFiles(reports, options, log) {
	const merged = new HitFiles();
	const leftOut = /* @__PURE__ */ new Set();
	const unchosen = /* @__PURE__ */ new Set();
	const isChosen = chooser(options.choice ?? {
		include: [],
		exclude: []
	});
	const unclear = /* @__PURE__ */ new Map();
	const resolveNames = createResolveNames(options);
	for (const report of reports) {
		const names = report.files.map((file) => file.name);
		const { sources, importPaths = false, isPlaced = false, packaged = /* @__PURE__ */ new Map() } = report;
		const resolved = resolveNames({
			path: report.absolute,
			names,
			sources,
			importPaths,
			isPlaced,
			packaged
		}, { isOneOfSeveral: reports.length > 1 });
		warnOfAmbiguous(resolved, log);
		for (const file of report.files) {
			const path = resolved.paths.get(file.name);
			const candidates = resolved.ambiguous.get(file.name);
			if (path !== void 0 && !isChosen(path)) unchosen.add(path);
			else if (path !== void 0) merged.add(file.renamed(path));
			else if (candidates === void 0) leftOut.add(file.name);
			else unclear.set(file.name, candidates);
		}
	}
	if (unclear.size > 0 && !options.allowAmbiguous) throw unclearNames(unclear);
	if (unchosen.size > 0) log.info(`Left out by include and exclude: ${counted(unchosen.size, "file")}`);
	const files = merged.packed();
	if (files.length === 0 && unchosen.size > 0) throw new ActionFailure("bad-input", `Inputs include and exclude leave out ${unchosen.size === 1 ? "the only file" : `all ${unchosen.size} files`} of the reports that the checkout has. Their patterns begin at the root of the repo, as in "src/**" or "**/*.test.ts".`);
	const without = [...leftOut, ...unclear.keys()];
	if (files.length === 0 && without.length > 0) throw nothingInCheckout(without, options);
	files.sort((a, b) => a.name < b.name ? -1 : 1);
	return {
		files,
		leftOut: {
			...tellLeftOut(leftOut, log),
			...unclear.size > 0 && { ambiguous: unclear.size }
		}
	};
}
function toSourceFile(named, reader, { ends, textOf = () => void 0 }) {
	const bytes = reader.read(named.name);
	const file = ends.within(named, bytes);
	const text = bytes && textOf(file.name, bytes);
	const branches = file.branches();
	return {
		name: file.name,
		...bytes === void 0 ? {} : { source_digest: hash("md5", bytes) },
		coverage: file.coverage(),
		...branches.length === 0 ? {} : { branches },
		...text === void 0 ? {} : { source: text }
	};
}
function warnOfAmbiguous({ paths, ambiguous }, log) {
	for (const [name, candidates] of [...ambiguous].slice(0, MAX_AMBIGUOUS_LISTED)) log.warning(fitsSeveral(name, {
		candidates,
		taken: paths.get(name)
	}));
	if (ambiguous.size > MAX_AMBIGUOUS_LISTED) log.warning(`Several files match ${counted(ambiguous.size - MAX_AMBIGUOUS_LISTED, "more name")} too.`);
}
function unclearNames(unclear) {
	const [name, candidates] = [...unclear][0];
	return new ActionFailure("report-ambiguous", ambiguousRefused(name, {
		candidates,
		more: unclear.size - 1
	}));
}
function tellLeftOut(names, log) {
	if (names.size === 0) return {};
	const sizes = [...Map.groupBy(names, (name) => posix.dirname(cleanName(name)))].map(([folder, files]) => [folder, files.length]);
	sizes.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
	const leftOut = {
		files: names.size,
		folders: sizes.slice(0, MAX_FOLDERS).map(([folder]) => folder)
	};
	for (const warning of leftOutWarnings(leftOut)) log.warning(warning);
	for (const [folder, size] of sizes.slice(0, MAX_FOLDERS_LISTED)) log.info(`  ${folder} (${counted(size, "file")})`);
	if (sizes.length > MAX_FOLDERS_LISTED) log.info(`  and ${counted(sizes.length - MAX_FOLDERS_LISTED, "more folder")}`);
	return leftOut;
}
function nothingInCheckout(names, { checkout }) {
	const { byGit, root, files } = checkout;
	const some = `${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}`;
	return new ActionFailure("nothing-in-checkout", `The reports name ${counted(names.length, "file")} (${some}), none of them in the checkout: ${byGit ? "git lists" : "there are"} ${counted(files.size, "file")} in ${root}. Run actions/checkout before this step; if the tests ran in a subfolder, set "base-path" to it.`);
}
function fitsSeveral(name, { candidates, taken }) {
	const outcome = taken === void 0 ? "It is left out" : `It is taken as ${taken}`;
	return `${mayBe(name, candidates)}. ${outcome}: ${BASE_PATH}.`;
}
function ambiguousRefused(name, { candidates, more }) {
	const others = more === 0 ? "" : `, and several files fit ${counted(more, "more name")} too`;
	return `${mayBe(name, candidates)}${others}. Left out, they would make the total wrong: ${BASE_PATH}, or set "allow-ambiguous" to upload the rest.`;
}
function mayBe(name, candidates) {
	return `${name} may be any of ${someOf(candidates)}`;
}

// action/src/report/source-reader.ts
const OF_GIT = /(?:^|\/)(?:\.git|git~\d+)[ .]*(?:\/|$)/i;
const HIDDEN = /(?:^|\/)\./;
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants$1;
function createSourceReader({ root, files, links, byGit }) {
	const base = realPath(root) ?? root;
	const below = (path) => relative(base, path).split(sep).join("/");
	const isTracked = (name) => files.has(name) && !links.has(name) && !OF_GIT.test(name);
	const refused = /* @__PURE__ */ new Set();
	return {
		read(name) {
			const asked = join(base, name);
			const real = realPath(asked);
			if (real === void 0) return void 0;
			if (byGit ? isTracked(below(real)) : real === asked && !HIDDEN.test(below(real))) return readPlain(real);
			refused.add(name);
		},
		tellRefused(log) {
			if (refused.size > 0) log.warning(notRead([...refused], { byGit }));
		}
	};
}
function readPlain(path) {
	try {
		const handle = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
		try {
			return fstatSync(handle).isFile() && isOpenAt(path, handle) ? readFileSync$1(handle) : void 0;
		} finally {
			closeSync(handle);
		}
	} catch {
		return;
	}
}
function isOpenAt(path, handle) {
	if (process.platform === "linux") return readlinkSync(`/proc/self/fd/${handle}`) === path;
	const opened = fstatSync(handle, { bigint: true });
	if (realpathSync(path) !== path) return false;
	const { dev, ino } = lstatSync(path, { bigint: true });
	return opened.dev === dev && opened.ino === ino;
}
function notRead(names, { byGit }) {
	const rule = byGit ? "they are links, and do not lead to a plain file that git tracks" : "without git no link is followed, and nothing is read whose path has a name that begins with a dot";
	return `Neither text nor digest is sent for ${counted(names.length, "file")} (${someOf(names)}): ${rule}. Their coverage still counts.`;
}
const LIMITS = {
	file: 2 ** 20,
	all: 32 * 2 ** 20
};
function chooseTexts(choice, diff, limits = LIMITS) {
	const changed = new Set(diff?.files.map((file) => file.name));
	let [sent, kept, left] = [
		0,
		0,
		limits.all
	];
	return {
		textOf(name, bytes) {
			if (choice === "none" || choice === "changed" && !changed.has(name)) return void 0;
			const text = bytes.length <= Math.min(limits.file, left) ? decode(bytes) : void 0;
			if (text === void 0) kept += 1;
			else {
				sent += 1;
				left -= bytes.length;
			}
			return text;
		},
		counts: () => ({
			sent,
			kept
		})
	};
}
function decode(bytes) {
	if (bytes.includes(0)) return void 0;
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return;
	}
}

// action/src/step/dry-run.ts
const MAX_FILES = 200;
function tellJob(log, job, url) {
	const { envelope, files, bytes } = job;
	const { repo_token: token, diff, ...fields } = envelope;
	log.info(`Dry run. This would be uploaded to ${url}, ${withToken(token !== void 0)}: ${counted(files.length, "file")}, ${byteText(bytes)}`);
	tellFields(log, {
		...fields,
		...diff && { diff: `line numbers of ${counted(diff.files.length, "changed file")}` }
	});
	for (const file of files.slice(0, MAX_FILES)) log.info(fileHits(file.name, {
		lines: file.countLines(),
		branches: file.countBranches()
	}));
	if (files.length > MAX_FILES) log.info(`  and ${counted(files.length - MAX_FILES, "more file")}`);
}
function tellClose(log, { repo_token: token, ...fields }, url) {
	log.info(`Dry run. This would be sent to ${url} to close the build, ${withToken(token !== void 0)}:`);
	tellFields(log, fields);
}
function tellFields(log, fields) {
	for (const [name, value] of Object.entries(fields)) log.info(`  ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
}
function fileHits(name, { lines, branches }) {
	const ofBranches = branches.all === 0 ? "" : `, ${branches.covered} of ${counted(branches.all, "branch", "branches")}`;
	return `  ${name}: ${lines.covered} of ${counted(lines.all, "line")}${ofBranches}`;
}
function withToken(isSigned) {
	return isSigned ? "with the token at hand" : "with an ID token, or with none";
}

// action/src/step/read-outcome.ts
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5e3;
const LONGEST_WAIT_TO_CLOSE_MS = 1e4;
const LONGEST_PAUSE_TO_CLOSE_MS = 2e3;
async function waitForVerdict(reading, buildUrl, waitMs) {
	const { client, runtime, log } = reading;
	const end = runtime.now() + waitMs;
	const isDue = paceOf(runtime.now);
	let last;
	for (let pause = FIRST_PAUSE_MS;; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
		last = await orNothing(log, client.readBuild(buildUrl)) ?? last;
		if (last === void 0) {
			log.warning(verdictUnreadable(buildUrl));
			return {};
		}
		if (isFinal(last)) return {
			build: last,
			...failureOf(last, buildUrl)
		};
		if (last.state === "closed" && last.unverified_reason === "access-denied") {
			log.warning(`Input wait: the git host denies the coverage server access to this repo. The upload is kept and judged as soon as the access is back (install its App, or end the suspension), so this step does not end by it. See ${buildUrl}`);
			return { build: last };
		}
		if (runtime.now() + pause >= end) {
			log.warning(`Input wait: there is no final verdict after ${waitMs / 1e3} s (wait-timeout), so this step does not end by it. See ${buildUrl}`);
			return last.state === "closed" ? { build: last } : {};
		}
		const state = last.state === "closed" ? "it is provisional, the git host has not answered yet" : "the build is open";
		if (isDue()) log.info(`Still waiting for the verdict (${state}), ${isDue.seconds()} s so far: ${buildUrl}`);
		await runtime.sleep(pause);
	}
}
function isFinal({ state, verdict }) {
	return state === "closed" && verdict?.provisional !== true;
}
function failureOf(build, url) {
	const { verdict, overall } = build;
	const isTotalGood = verdict === null || verdict.state === "success" || verdict.informational || verdict.accepted;
	const decided = decisionOf(build);
	if (decided === void 0 || (overall === void 0 ? isTotalGood : overall.state === "success")) return {};
	return { failure: `The verdict on the build is ${decided.state}: ${decided.words} See ${url}` };
}
async function readClosedBuild(reading, buildUrl) {
	const { client, runtime, log } = reading;
	const end = runtime.now() + LONGEST_WAIT_TO_CLOSE_MS;
	for (let pause = FIRST_PAUSE_MS;; pause = Math.min(pause * 2, LONGEST_PAUSE_TO_CLOSE_MS)) {
		const build = await orNothing(log, client.readBuild(buildUrl));
		if (build?.state === "closed") return build;
		if (build === void 0 || runtime.now() + pause >= end) {
			log.info(build === void 0 ? noResult("the build cannot be read with the token at hand", buildUrl) : noResult("the build is not closed yet", buildUrl));
			return;
		}
		await runtime.sleep(pause);
	}
}
async function findBuildUrl({ client, log }, jobUrl) {
	const job = await orNothing(log, client.readJob(jobUrl));
	if (typeof job?.build_url === "string") return job.build_url;
	log.info(noResult("the job cannot be read with the token at hand", jobUrl));
}
function orNothing(log, reading) {
	return reading.catch((error) => {
		log.info(error instanceof Error ? error.message : String(error));
	});
}
function noResult(reason, url) {
	return `No result to show: ${reason}. The outputs coverage, change and verdict stay empty. See ${url}`;
}
function verdictUnreadable(url) {
	return `Input wait: the verdict cannot be read with the token at hand, so this step does not end by it. The upload succeeded. See ${url}`;
}
function describeUpload(answer, job) {
	const { flagName, files, leftOut, reports } = job;
	return {
		...answer,
		flagName,
		warnings: leftOutWarnings(leftOut),
		files: files.length,
		lines: sumOf(files.map((file) => file.countLines())),
		branches: sumOf(files.map((file) => file.countBranches())),
		reports: reports.map(({ path, format }) => ({
			path,
			format: format.name
		}))
	};
}
const NOTHING = {
	covered: 0,
	all: 0
};
function sumOf(counts) {
	return counts.reduce((sum, { covered, all }) => ({
		covered: sum.covered + covered,
		all: sum.all + all
	}), NOTHING);
}

// action/src/step/run.ts
const TRY_LIMIT_MS = 12e4;
const READ_LIMITS = {
	totalMs: 5e3,
	tryMs: 5e3
};
function run(inputs, tools) {
	const { runtime, log } = tools;
	const fetchWithin = createRetryingFetches(runtime, log);
	const send = fetchWithin({
		totalMs: inputs.timeoutMs,
		tryMs: TRY_LIMIT_MS
	});
	const read = fetchWithin(READ_LIMITS);
	const client = createCoverageClient({
		send,
		read
	}, inputs, log);
	const outcome = inputs.task === "close" ? closeBuild(inputs, {
		...tools,
		client
	}) : withGitFolders(inputs, tools, (folders) => reportCoverage(inputs, {
		...tools,
		client,
		folders
	}));
	return inputs.withoutSecret ? outcome.catch(excuseServer) : outcome;
}
const OF_SERVER = /* @__PURE__ */ new Set([
	"server-refused",
	"server-unreachable",
	"answer-not-understood"
]);
function excuseServer(error) {
	throw error instanceof ActionFailure && OF_SERVER.has(error.code) ? noSecret(error) : error;
}
async function withGitFolders({ runner, githubToken }, { git = {} }, work) {
	const server = {
		url: runner.serverUrl,
		token: githubToken
	};
	const folders = createGitFolders(runner.workspace, {
		...git,
		server
	});
	try {
		return await work(folders);
	} finally {
		await folders.remove();
	}
}
async function prepareJob(inputs, tools) {
	const { log, client, folders, runtime } = tools;
	const git = createGit(folders);
	const reports = readReports(inputs, log, runtime.now);
	const checkout = await findCheckout(reports, inputs.place?.root ?? inputs.runner.workspace, git);
	const collected = collectFiles(reports, {
		...inputs,
		checkout
	}, log);
	const runner = {
		...inputs.runner,
		workspace: checkout.root
	};
	const tested = await findTested(runner, inputs, git);
	if (tested.warning !== "") log.warning(tested.warning);
	const ofRunner = await readBuildContext(runner, inputs, git, tested);
	const context = inputs.ofService?.(ofRunner) ?? ofRunner;
	const diff = inputs.sendDiff ? await findChange(tested, {
		checkout,
		context
	}, tools) : void 0;
	const rules = checkout.byGit ? await readRules({
		root: checkout.root,
		head: testedBy(context)
	}, tools) : void 0;
	const envelope = {
		...tokenOf(inputs),
		run_at: new Date(runtime.now()).toISOString(),
		...context,
		...diff === void 0 ? {} : { diff },
		...rules === void 0 ? {} : { coverage_yml: rules },
		parallel: inputs.parallel,
		...inputs.expectedJobs === void 0 ? {} : { expected_jobs: inputs.expectedJobs }
	};
	const asked = inputs.dryRun ? void 0 : () => client.readUploadSettings();
	const choice = inputs.sendSource ?? (await asked?.())?.send_source ?? "none";
	const texts = chooseTexts(choice, diff);
	const [reader, ends] = [createSourceReader(checkout), new TextEnds()];
	let leftOut = collected.leftOut;
	const files = sourceFiles(collected.files, reader, {
		ends,
		textOf: texts.textOf
	});
	const body = await encodeJob(envelope, files, () => {
		leftOut = {
			...leftOut,
			...ends.tell(log)
		};
		return Object.keys(leftOut).length === 0 ? {} : { left_out: leftOut };
	});
	reader.tellRefused(log);
	logTexts(texts, log);
	return {
		envelope,
		files: ends.files,
		leftOut,
		reports,
		body
	};
}
async function reportCoverage(inputs, tools) {
	const { log, client } = tools;
	if (inputs.carryforward.length > 0) log.info("Input carryforward takes effect in the step that closes the build (parallel-finished).");
	const { envelope, files, leftOut, reports, body } = await prepareJob(inputs, tools);
	const url = inputs.endpoint.href;
	if (inputs.dryRun) {
		tellJob(log, {
			envelope,
			files,
			bytes: body.length
		}, url);
		return { dryRun: {
			url,
			body: () => withoutToken(unpackJob(body))
		} };
	}
	log.info(uploading(files.length, {
		commit: envelope.commit_sha,
		url,
		bytes: body.length
	}));
	const answer = await client.uploadJob(body);
	log.info(`${answer.message}: ${answer.url}`);
	await checkWholeCommit(tools, {
		jobUrl: answer.url,
		sent: envelope.commit_sha
	});
	const upload = describeUpload(answer, {
		flagName: inputs.flagName,
		files,
		leftOut,
		reports
	});
	if (inputs.parallel) return { upload };
	const buildUrl = await findBuildUrl(tools, answer.url);
	if (buildUrl === void 0 && inputs.waitMs !== void 0) log.warning(verdictUnreadable(answer.url));
	return buildUrl === void 0 ? { upload } : {
		upload,
		...await closedBuild(inputs, {
			...tools,
			buildUrl
		})
	};
}
function tokenOf({ token }) {
	return token === "" ? {} : { repo_token: token };
}
function withoutToken({ repo_token: _, ...body }) {
	return body;
}
async function checkWholeCommit({ client }, { jobUrl, sent = "" }) {
	if (sent === "" || isSha(sent)) return;
	if ((await client.readJob(jobUrl))?.commit_sha === sent) throw new ActionFailure("bad-input", unknownSha(sent));
}
async function findChange({ facts }, { checkout, context }, { log, folders }) {
	const head = testedBy(context);
	if (checkout.byGit && head !== void 0) return readChange({
		root: checkout.root,
		head,
		facts
	}, {
		log,
		folders
	});
	logUnsent(log, checkout.byGit ? "nothing says which commit was tested" : `git knows no checkout at ${checkout.root}`);
}
function testedBy({ service_tested_sha, commit_sha }) {
	return service_tested_sha ?? commit_sha;
}
async function closeBuild(inputs, tools) {
	if (inputs.files.length > 0) tools.log.info("Inputs file and files are not used in the step that closes the build.");
	if (inputs.expectedJobs !== void 0) tools.log.info("Input expected-jobs is for the uploads: the step that closes the build closes it with what has arrived.");
	const buildNumber = inputs.buildNumber || inputs.runner.runId;
	const payload = {
		...tokenOf(inputs),
		...inputs.runner.repository === "" ? {} : { repo_name: inputs.runner.repository },
		...inputs.carryforward.length === 0 ? {} : { carryforward: inputs.carryforward },
		payload: {
			...buildNumber === "" ? {} : { build_num: buildNumber },
			status: "done"
		}
	};
	if (inputs.dryRun) {
		tellClose(tools.log, payload, inputs.endpoint.href);
		return { dryRun: {
			url: inputs.endpoint.href,
			body: () => withoutToken(payload)
		} };
	}
	const answer = await tools.client.closeBuild(payload);
	tools.log.info(`Closed the build of ${counted(answer.jobs, "job")}: ${answer.url}`);
	return closedBuild(inputs, {
		...tools,
		buildUrl: answer.url
	});
}
async function closedBuild({ waitMs }, { buildUrl, ...tools }) {
	if (waitMs !== void 0) return {
		buildUrl,
		...await waitForVerdict(tools, buildUrl, waitMs)
	};
	const build = await readClosedBuild(tools, buildUrl);
	return {
		buildUrl,
		...build === void 0 ? {} : { build }
	};
}
function readReports(inputs, log, now = Date.now) {
	const { runner, files, format, allowEmpty, place } = inputs;
	const search = {
		workspace: place?.folder ?? runner.workspace,
		patterns: files,
		format: formatNamed(format),
		allowEmpty
	};
	const reports = findReports(search, log).map((found) => {
		const parsed = parseReport(found, {
			log,
			now
		});
		for (const warning of parsed.warnings) log.warning(warning);
		return {
			...found,
			...parsed
		};
	});
	const empty = reports.filter(({ files }) => files.every((file) => file.lastLine === 0));
	for (const report of empty) if (!report.format.onePerSource || empty.length === reports.length) refuseEmpty(report, {
		allowEmpty,
		log
	});
	return reports;
}
function parseReport(found, telling) {
	try {
		return withReportFile(found, (report) => found.format.parse(tellReading(report, telling)));
	} catch (error) {
		if (!found.isLinked || !(error instanceof ActionFailure)) throw error;
		throw new ActionFailure(error.code, `${found.path} is a link to a file that is not a complete report (${found.format.name}). Name the report itself to see what is wrong with it.`);
	}
}
function refuseEmpty({ path, format }, { allowEmpty, log }) {
	if (!allowEmpty) throw new ActionFailure("report-empty", `${path} is a report (${format.name}) without any line of any file. Check that the tests ran with coverage on, or set "allow-empty".`);
	log.info(`${path} is a report (${format.name}) without any line of any file. Accepted as it is: allow-empty is set.`);
}
function findCheckout([first], workspace, git) {
	return readCheckout(git, workspace, first === void 0 ? [] : foldersBetween(workspace, dirname(first.absolute)));
}
function logTexts({ counts }, log) {
	const { sent, kept } = counts();
	if (sent + kept > 0) log.info(textsSent({
		sent,
		kept
	}));
}
function* sourceFiles(files, reader, texts) {
	for (const file of files) yield toSourceFile(file, reader, texts);
}
function textsSent({ sent, kept }) {
	const more = kept === 0 ? "" : `; ${kept} stayed behind, being no text or beyond 1 MiB each and 32 MiB in all`;
	return `The text of ${counted(sent, "source file")} is sent with this upload${more}.`;
}
function unknownSha(start) {
	return `Input git-commit: neither the checkout nor a build on the server has one commit that begins with "${start}". The upload is stored, but the server can’t post a commit status for it. Give all the digits, or check out more commits ("fetch-depth: 0" of actions/checkout).`;
}
function uploading(files, to) {
	const { commit = "unknown", url, bytes } = to;
	return `Uploading ${counted(files, "file")} for commit ${commit} to ${url} (${counted(bytes, "byte")})`;
}

// action/src/step/summary.ts
const MAX_BYTES = 9e5;
const MAX_ROWS = 100;
const MAX_WARNINGS = 20;
const MAX_REPORTS = 20;
const LONGEST_NAME = 300;
function summaryMarkdown(outcome) {
	const { buildUrl } = outcome;
	const end = buildUrl === void 0 ? [] : [link("Build page", buildUrl)];
	const sections = [];
	let room = MAX_BYTES;
	for (const section of sectionsOf(outcome)) {
		const bytes = Buffer.byteLength(section);
		if (bytes > room) continue;
		sections.push(section);
		room -= bytes;
	}
	return [
		...sections,
		...end,
		""
	].join("\n\n");
}
function sectionsOf({ upload, build, dryRun }) {
	return [
		`### ${heading(build)}`,
		...dryRun ? [NOTHING_SENT] : [],
		...build === void 0 ? [] : verdictOf(build),
		...build?.patch ? changeOf(build.patch) : [],
		...build === void 0 ? [] : checksOf(build),
		...(build?.warnings ?? []).slice(0, MAX_WARNINGS).map((warning) => `> ${escapeMarkdown(warning)}`),
		...upload === void 0 ? [] : [uploadText(upload), ...ownWarnings(upload, build)]
	];
}
function verdictOf(build) {
	const decided = decisionOf(build);
	return decided ? [`**${escapeMarkdown(decided.state)}**: ${escapeMarkdown(decided.words)}`] : [];
}
function checksOf({ checks, flags }) {
	if (checks === void 0) return flags.length === 0 ? [] : [flagTable(flags)];
	if (checks.length < 2) return [];
	const carried = new Map(flags.map((flag) => [`flag:${flag.name}`, flag.carried_from]));
	const rows = checks.slice(0, MAX_ROWS).map((check) => {
		const percent = check.covered_percent === null ? "—" : `${percentText(check.covered_percent)}%`;
		const change = check.coverage_change === null ? "—" : `${changeText(check.coverage_change)}%`;
		const origin = carried.get(check.id);
		const from = origin == null ? "" : ` (carried from build ${nameOf(origin.build)})`;
		return [
			`${signOf(check)} ${checkName(check)}${from}`,
			percent,
			change,
			escapeMarkdown(check.remedy?.sentence ?? "")
		];
	});
	const left = checks.length - rows.length;
	const more = left === 0 ? "" : `\n\nThe build page lists ${counted(left, "more check")}.`;
	return [table("| Check | Coverage | Change | To pass |", "| --- | ---: | ---: | --- |", rows) + more];
}
function signOf({ state, accepted, informational }) {
	if (state === "success" || accepted) return "✅";
	return informational || state === "incomplete" ? "⚠️" : "❌";
}
const NAMES = {
	total: "Total",
	changes: "Changed lines",
	elsewhere: "Outside the change",
	file: "coverage.yml"
};
function checkName({ id, kind, name, informational }) {
	const shown = name === null ? NAMES[id] ?? nameOf(id) : `${nameOf(name)} (${escapeMarkdown(kind)})`;
	return informational ? `${shown}, informational` : shown;
}
function changeOf(patch) {
	const open = patch.files.filter((file) => file.missed_lines + file.missed_branches > 0);
	const rows = open.slice(0, MAX_ROWS).map(fileRow);
	const left = patch.file_count - (patch.files.length - open.length) - rows.length;
	return [
		changedLines(patch, patch.covered_percent === null ? void 0 : percentText(patch.covered_percent)),
		...rows.length === 0 ? [] : [table("| Changed file | Lines | Branches | Uncovered lines |", "| --- | ---: | ---: | --- |", rows)],
		...rows.length > 0 && left > 0 ? [`The build page lists ${counted(left, "more changed file")}.`] : [],
		...patch.unmeasured_count === 0 ? [] : [unmeasured(patch.unmeasured_count, shown(patch.unmeasured))]
	];
}
function fileRow(file) {
	const { covered_lines, relevant_lines, covered_branches, relevant_branches, uncovered, uncovered_ranges } = file;
	const ranges = uncovered.map(([first, last]) => first === last ? `${first}` : `${first}–${last}`);
	const more = uncovered_ranges > ranges.length ? [`and ${uncovered_ranges - ranges.length} more`] : [];
	return [
		nameOf(file.name),
		`${covered_lines} / ${relevant_lines}`,
		relevant_branches === 0 ? "—" : `${covered_branches} / ${relevant_branches}`,
		[...ranges, ...more].join(", ") || "—"
	];
}
function flagTable(flags) {
	const rows = flags.slice(0, MAX_ROWS).map((flag) => {
		const percent = flag.covered_percent === null ? "—" : `${percentText(flag.covered_percent)}%`;
		const change = flag.coverage_change === null ? "—" : `${changeText(flag.coverage_change)}%`;
		const carried = flag.carried_from === null ? "" : ` (carried from build ${nameOf(flag.carried_from.build)})`;
		return [
			`${nameOf(flag.name)}${carried}`,
			percent,
			change
		];
	});
	const more = flags.length > rows.length ? `\n\n${moreFlags(flags.length - rows.length)}` : "";
	return table("| Flag | Coverage | Change |", "| --- | ---: | ---: |", rows) + more;
}
function ownWarnings({ message, warnings }, build) {
	const ofJob = `${message.replace("#", "")}: `;
	if (build?.warnings.slice(0, MAX_WARNINGS).some((warning) => warning.startsWith(ofJob))) return [];
	return warnings.map((warning) => `> ${escapeMarkdown(warning)}`);
}
function uploadText({ url, message, flagName, files, lines, branches, reports }) {
	const listed = reports.slice(0, MAX_REPORTS).map(({ path, format }) => `- ${nameOf(path)} (${nameOf(format)})`);
	const more = reports.length > MAX_REPORTS ? [`- ${moreReports(reports.length - MAX_REPORTS)}`] : [];
	const counts = {
		flag: nameOf(flagName),
		files,
		lines,
		branches
	};
	return [
		summary(link(message, url), counts),
		"",
		...listed,
		...more
	].join("\n");
}
function shown(names) {
	return names.slice(0, 5).map(nameOf).join(", ");
}
function nameOf(text) {
	return escapeMarkdown(text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME).toWellFormed()}…` : text);
}
function summary(job, { flag, files, lines, branches }) {
	const ofFlag = flag === "" ? "" : ` for flag ${flag}`;
	const ofBranches = branches.all === 0 ? "" : ` and ${branches.covered} of ${counted(branches.all, "branch", "branches")}`;
	const ofLines = `${lines.covered} of ${counted(lines.all, "line")}`;
	return `${job}${ofFlag}: ${counted(files, "file")}, ${ofLines}${ofBranches} covered, from:`;
}
function moreReports(count) {
	return `and ${count} more`;
}
function changedLines(counts, percent) {
	if (percent === void 0) return "No changed lines with code.";
	const { covered_lines, relevant_lines, covered_branches, relevant_branches } = counts;
	const ofBranches = relevant_branches === 0 ? "" : ` and ${covered_branches} of ${counted(relevant_branches, "branch", "branches")}`;
	return `${percent}% of the change is covered: ${covered_lines} of ${counted(relevant_lines, "line")}${ofBranches}.`;
}
function moreFlags(count) {
	return `The build page lists ${counted(count, "more flag")}.`;
}
function unmeasured(count, names) {
	return `${counted(count, "changed source file")} named by no report, so not measured: ${names}${count > 5 ? ", …" : ""}`;
}
function escapeMarkdown(text) {
	return text.replace(/\s+/g, " ").replace(/[!-/:-@[-`{-~]/g, "\\$&");
}
function link(text, url) {
	const href = URL.canParse(url) ? new URL(url) : void 0;
	if (href === void 0 || !/^https?:$/.test(href.protocol)) return escapeMarkdown(text);
	return `[${escapeMarkdown(text)}](<${href.href.replaceAll("<", "%3C").replaceAll(">", "%3E")}>)`;
}
function table(head, alignment, rows) {
	return [
		head,
		alignment,
		...rows.map((cells) => `| ${cells.join(" | ")} |`)
	].join("\n");
}

// node_modules/@actions/github/lib/context.js
var Context;
var init_context = __esmMin((() => {
	Context = class {
		constructor() {
			var _a, _b, _c;
			this.payload = {};
			if (process.env.GITHUB_EVENT_PATH) {
				if (existsSync(process.env.GITHUB_EVENT_PATH)) this.payload = JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH, { encoding: "utf8" }));
				else {
					const path = process.env.GITHUB_EVENT_PATH;
					process.stdout.write(`GITHUB_EVENT_PATH ${path} does not exist${EOL}`);
				}
			}
			this.eventName = process.env.GITHUB_EVENT_NAME;
			this.sha = process.env.GITHUB_SHA;
			this.ref = process.env.GITHUB_REF;
			this.workflow = process.env.GITHUB_WORKFLOW;
			this.action = process.env.GITHUB_ACTION;
			this.actor = process.env.GITHUB_ACTOR;
			this.job = process.env.GITHUB_JOB;
			this.runAttempt = parseInt(process.env.GITHUB_RUN_ATTEMPT, 10);
			this.runNumber = parseInt(process.env.GITHUB_RUN_NUMBER, 10);
			this.runId = parseInt(process.env.GITHUB_RUN_ID, 10);
			this.apiUrl = (_a = process.env.GITHUB_API_URL) !== null && _a !== void 0 ? _a : `https://api.github.com`;
			this.serverUrl = (_b = process.env.GITHUB_SERVER_URL) !== null && _b !== void 0 ? _b : `https://github.com`;
			this.graphqlUrl = (_c = process.env.GITHUB_GRAPHQL_URL) !== null && _c !== void 0 ? _c : `https://api.github.com/graphql`;
		}
		get issue() {
			const payload = this.payload;
			return Object.assign(Object.assign({}, this.repo), { number: (payload.issue || payload.pull_request || payload).number });
		}
		get repo() {
			if (process.env.GITHUB_REPOSITORY) {
				const [owner, repo] = process.env.GITHUB_REPOSITORY.split("/");
				return {
					owner,
					repo
				};
			}
			if (this.payload.repository) return {
				owner: this.payload.repository.owner.login,
				repo: this.payload.repository.name
			};
			throw new Error("context.repo requires a GITHUB_REPOSITORY environment variable like 'owner/repo'");
		}
	};
}));

// node_modules/@actions/github/lib/github.js
var context;
var init_github = __esmMin((() => {
	init_context();
	context = new Context();
}));

// action/src/context/event-payload.ts
var event_payload_exports = /* @__PURE__ */ __exportAll({ eventPayload: () => eventPayload });
var eventPayload;
var init_event_payload = __esmMin((() => {
	init_github();
	eventPayload = context.payload;
}));

// action/src/main.ts
let warnings = 0;
const log = {
	info: (line) => info(oneLine(line)),
	warning: (line) => {
		warnings += 1;
		warning(oneLine(line));
	}
};
const source = {
	input: (name) => getInput(name),
	env: process.env,
	maskSecret: (secret) => setSecret(secret),
	readEvent: async () => (await Promise.resolve().then(() => (init_event_payload(), event_payload_exports))).eventPayload
};
const runtime = {
	userAgent: `coverage-service-action/0.2.0`,
	fetch: (...request) => fetch(...request),
	now: () => Date.now(),
	random: () => Math.random(),
	sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
	every: (milliseconds, tick) => {
		const timer = setInterval(tick, milliseconds);
		return () => clearInterval(timer);
	}
};
try {
	const inputs = await readInputs(source);
	for (const notice$1 of inputs.notices) notice(oneLine(notice$1));
	if (inputs.behindProxy) (await import("node:http")).setGlobalProxyFromEnv?.();
	if (inputs.caFile !== "") await trustAuthorities(inputs.caFile);
	const { maskSecret } = source;
	const work = (known) => run(known, {
		runtime,
		log
	});
	const outcome = await (inputs.dryRun ? work(inputs) : withIdentity(inputs, {
		runtime,
		log,
		maskSecret
	}, work));
	await publish(outcome);
	if (inputs.annotations && outcome.build !== void 0) annotate(outcome.build);
} catch (error) {
	reportFailure(error);
}
async function publish(outcome) {
	log.info(outcomeLine(outcome));
	for (const [name, value] of Object.entries(stepOutputs(outcome))) setOutput(name, value);
	if (source.env.GITHUB_STEP_SUMMARY) await summary$1.addRaw(summaryMarkdown(outcome)).write();
	if (outcome.failure !== void 0) setFailed(oneLine(outcome.failure));
}
function annotate(build) {
	const { annotations, rest } = annotationsOf(build, 10 - warnings);
	for (const { message, ...place } of annotations) warning(message, {
		title: "Coverage",
		...place
	});
	if (rest !== void 0) log.info(rest);
}
function reportFailure(error) {
	const message = error instanceof Error ? error.message : String(error);
	if (!(error instanceof ActionFailure) && error instanceof Error) info((error.stack ?? "").split("\n").map(oneLine).join("\n"));
	if (error instanceof ActionFailure && error.code === "no-secret") notice(oneLine(message));
	else warnOrFail(message, error instanceof ActionFailure && error.ofServer);
}
function warnOrFail(message, ofServer) {
	if (failsStep(source, { ofServer })) setFailed(oneLine(message));
	else warning(oneLine(ofServer ? serverFailureAllowed(message) : `Coverage was not processed, and fail-on-error is off: ${message}`));
}
function serverFailureAllowed(message) {
	return `Coverage was not processed. The step does not fail for it, since fail-on-server-error is off: ${message}`;
}

export {  };