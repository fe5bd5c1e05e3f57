// The one table of differences between the embedded server and the real one that we accept, each with its reason. A replay that
// differs is forgiven only by an entry here; an entry that forgives nothing any more makes the replay fail, so the table only shrinks.
import type { Json, RecordedReply, Step } from './transcript.ts'

export interface Difference {
  readonly id: string
  readonly reason: string
  /** Takes out of a reply what may differ; called with the recorded and with the actual step, returns it unchanged where it does not apply. */
  readonly forgive: (step: Step, context: { readonly sequence: string; readonly expected: Step }) => Step
}

export const differences: readonly Difference[] = [
  {
    id: 'protobuf-errors',
    reason: 'The real server can say what went wrong in protobuf; the embedded one answers JSON always.',
    forgive: (step, { expected }) =>
      isBinary(expected) ? withReply(step, reply => ({ status: reply.status, headers: {}, body: null })) : step,
  },
  {
    id: 'kinds-stored-only',
    reason:
      'CronJob, StatefulSet, DaemonSet, NetworkPolicy and Ingress are stored without their own defaults, validation and ownership ' +
      'of defaulted fields; status codes of well-formed requests are the same.',
    forgive: (step, { sequence }) =>
      /^kind-(cronjob|statefulset|daemonset|networkpolicy|ingress)$/.test(sequence) ? withReply(step, sameStatusOnly) : step,
  },
  {
    id: 'job-template-in-words',
    reason: 'A change of what is fixed in a job is refused with the template as JSON; the real server prints its own structures.',
    forgive: (step, { sequence }) =>
      sequence === 'kind-job' && step.kind === 'request' && step.request.method === 'PUT'
        ? withReply(step, sameStatusOnly)
        : step,
  },
  {
    id: 'autoscalers-in-all',
    reason:
      'Autoscalers are out of scope, so they are not in the category `all`: where kubectl lists them for it, the ' +
      'real server has an empty table and ours has no such path.',
    forgive: (step, { expected }) => (listsAutoscalers(step, expected) ? withReply(step, () => nothing) : step),
  },
  {
    id: 'diff-of-go-structures',
    reason:
      'A pod update that changes what is fixed is refused with a line-by-line difference of two Go structures, in the names and the ' +
      "order of fields of the server's source; ours says the sentence before it.",
    forgive: (step, { expected }) =>
      JSON.stringify('reply' in expected ? expected.reply.body : '').includes('pod updates may not change fields other than')
        ? withReply(step, reply => ({ ...reply, body: withoutDifference(reply.body) }))
        : step,
  },
  {
    id: 'build-data',
    reason: 'Commit, build date and Go version of /version are those of another program.',
    forgive: (step, { expected }) =>
      targetOf(expected) === '/version' ? withReply(step, reply => ({ ...reply, body: null })) : step,
  },
]

function withReply(step: Step, change: (reply: RecordedReply) => RecordedReply): Step {
  return 'reply' in step ? { ...step, reply: change(step.reply) } : step
}

function targetOf(step: Step): string {
  return 'request' in step ? step.request.target : ''
}

const nothing: RecordedReply = { status: 0, headers: {}, body: null }

/** An empty table on the one side, no such path on the other. */
function listsAutoscalers(step: Step, expected: Step): boolean {
  if (!('reply' in step) || !/^\/apis\/autoscaling\/v\d\/.*horizontalpodautoscalers\?limit=500$/.test(targetOf(expected)))
    return false
  const { status, body } = step.reply
  return status === 404 || (status === 200 && (body as { rows?: unknown[] | null } | null)?.rows?.length === 0)
}

/** Every text ends with the sentence; what follows is the difference. */
function withoutDifference(body: Json): Json {
  return JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
    typeof value === 'string' ? value.replace(/(if it was previously negative\))\n[^]*$/, '$1') : value,
  ) as Json
}

function isBinary(step: Step): boolean {
  return 'reply' in step && step.reply.headers['content-type'] === 'application/vnd.kubernetes.protobuf'
}

/** A refusal that the stored kind does not make is still told apart from a failure of the server. */
function sameStatusOnly(reply: RecordedReply): RecordedReply {
  return { status: reply.status >= 500 ? 500 : 0, headers: {}, body: null }
}
