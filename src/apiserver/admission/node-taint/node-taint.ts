// What admission adds to a new node: the taint that keeps pods away until somebody says that it is ready.
import { isRecord } from '#base'
import { type Draft } from '../../draft.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { MakePlugin } from '../plugin.ts'

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

export const nodeTaint: MakePlugin = () => ({ name: 'NodeTaint', mutate: withTaint })

function withTaint({ kind, operation, subresource, object }: AdmissionAttributes): Draft | undefined {
  const isNode = kind.resource.group === '' && kind.resource.plural === 'nodes'
  if (object === undefined || !isNode || operation !== 'CREATE' || subresource !== '') return object
  const spec = isRecord(object.spec) ? object.spec : {}
  const taints = (Array.isArray(spec.taints) ? spec.taints : []) as readonly { key?: string; effect?: string }[]
  if (taints.some(taint => taint.key === notReady.key && taint.effect === notReady.effect)) return object
  return { ...object, spec: { ...spec, taints: [...taints, notReady] } }
}
