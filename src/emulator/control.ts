// The control interface (§15.5): what was called, why it was decided so, and what there is; read-only, on a port of its own so
// that no client of AWS can meet it by accident.
import { given, type HttpListener, type HttpRequest, type HttpResponse, systemNet } from '#base'
import type { About, AwsCall, AwsCallFilter, Explanation } from './aws.ts'
import { canPod } from './can-pod.ts'
import type { Emulator } from './core/emulator.ts'

export async function listenControl(
  core: Emulator,
  where: { readonly host?: string; readonly port?: number; readonly about?: About },
): Promise<HttpListener> {
  const options = { host: where.host ?? '127.0.0.1', port: where.port ?? 0 }
  return (core.settings.net ?? systemNet).listen(options, request => answer(core, request, where.about))
}

async function answer(core: Emulator, request: HttpRequest, about: About | undefined): Promise<HttpResponse> {
  const host = request.headers['host'] ?? request.headers[':authority']
  // A page of the web that points its own name at this machine must not be able to read what happens here.
  if (!/^(?:localhost|\d+\.\d+\.\d+\.\d+|\[[0-9a-f:]+\])(?::\d+)?$/i.test(typeof host === 'string' ? host : ''))
    return json(403, { error: 'ask by IP address or as localhost' })
  if (request.method !== 'GET') return json(405, { error: 'this interface only reads' })
  const url = new URL(request.target, 'http://control.invalid')
  const query = Object.fromEntries(url.searchParams)
  core.catchUp()
  switch (url.pathname) {
    case '/':
      return html(renderPage(core))
    case '/_emulator/about':
      return json(200, about ?? {})
    case '/_emulator/state':
      return json(200, stateOf(core))
    case '/_emulator/calls':
      return json(200, core.calls.all(query as AwsCallFilter))
    case '/_emulator/explain':
      return explained(core, query['request'])
    case '/_emulator/can-pod':
      return json(200, await podAnswer(core, query))
    default:
      return json(404, {
        error:
          'there are /, /_emulator/about, /_emulator/state, /_emulator/calls, /_emulator/explain, which takes ?request=ID, and /_emulator/can-pod?…',
      })
  }
}

/** Without an id the latest refusal is meant: clients seldom show ids. */
function explained(core: Emulator, requestId: string | undefined): HttpResponse {
  const record = requestId === undefined ? core.calls.lastRefused() : core.calls.record(requestId)
  if (record !== undefined) return json(200, { ...record.explanation, call: record.call })
  const error =
    requestId === undefined ? 'no call that is remembered was refused' : `no call with request id "${requestId}" is remembered`
  return json(404, { error })
}

function podAnswer(core: Emulator, query: Readonly<Record<string, string>>): Promise<Explanation> {
  const {
    issuer,
    audience = 'sts.amazonaws.com',
    subject = '',
    cluster = '',
    namespace = '',
    serviceAccount = '',
    action = '',
    resource = '*',
    roleArn,
  } = query
  const asked = { action, resource, ...given({ roleArn }) }
  if (issuer !== undefined) return canPod(core, { ...asked, subject: { kind: 'web-identity', issuer, audience, subject } })
  return canPod(core, { ...asked, subject: { kind: 'pod-identity', cluster, namespace, serviceAccount } })
}

/** Resources with tags of every place, what is not served and was asked for, and how full the token buckets are. */
function stateOf(core: Emulator): object {
  const resources = [...core.services()].flatMap(service =>
    ['aws', 'aws-cn', 'aws-us-gov'].flatMap(partition =>
      core.state.places(service.name, partition).flatMap(({ account, region }) =>
        accountsOf(core, account).flatMap(owner => {
          const context = core.contextOf(service, { partition, account: owner, region })
          return [...(service.resources?.(context) ?? [])].map(({ arn, type, tags }) => ({ arn, type, tags }))
        }),
      ),
    ),
  )
  const { profile, signatures, enforce } = core.settings
  return {
    now: new Date(core.now()).toISOString(),
    profile,
    signatures,
    enforce,
    resources,
    unimplemented: core.calls.unimplemented(),
    issuerFetches: core.issuers.records(),
    throttle: core.throttle.levels(),
  }
}

/** A store of a whole partition is looked at once for each account. */
function accountsOf(core: Emulator, account: string): readonly string[] {
  return account === '' ? core.settings.accounts : [account]
}

const callsShown = 200

function renderPage(core: Emulator): string {
  const rows = core.calls.all().slice(-callsShown).toReversed().map(renderRow).join('\n')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>AWS emulator</title>
<style>body{font:14px system-ui;margin:2em}table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ddd}.refused{color:#a00}</style>
<h1>AWS emulator</h1><p><a href="/_emulator/state">state</a> · <a href="/_emulator/calls">calls</a>. The newest ${callsShown} calls; a request id leads to the reason of its answer.</p>
<table><tr><th>time<th>service<th>operation<th>caller<th>result<th>request</tr>
${rows}</table></html>`
}

function renderRow(call: AwsCall): string {
  const refused = call.result === 'ok' ? '' : ' class="refused"'
  const cells = [new Date(call.atMs).toISOString(), call.service, call.operation, call.caller, call.result]
    .map(text => `<td>${escaped(text)}`)
    .join('')
  return `<tr${refused}>${cells}<td><a href="/_emulator/explain?request=${encodeURIComponent(call.requestId)}">${escaped(call.requestId)}</a></tr>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}

function html(text: string): HttpResponse {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  }
  return { status: 200, headers, body: Buffer.from(text) }
}

function json(status: number, value: unknown): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`),
  }
}
