// Wiring: a controller of its own, which runs only where somebody chose it and reaches only the namespaces that were listed.
import { type AnyController, type Change, defineController, failuresOf } from '#runtime'
import type { Cert } from '../api/kinds.ts'
import { exportManager } from '../api/labels.ts'
import { record } from '../aws/values.ts'
import { certSource } from '../cert/controller.ts'
import { type ExportTools, exportAct } from './act.ts'
import { decideExport, type ExportAction, exported } from './decide.ts'
import { observeExport } from './observe.ts'
import type { ExportSeen } from './seen.ts'

export interface ExportControllerOptions extends ExportTools {
  readonly readyMs: number
  /** Into which keys may be written. */
  readonly exportNamespaces: readonly string[]
  readonly namespaces: readonly string[] | undefined
}

export function exportController(options: ExportControllerOptions): AnyController {
  const { readyMs, exportNamespaces, namespaces } = options
  return defineController<ExportSeen, ExportAction>({
    name: 'cert-export',
    fieldManager: exportManager,
    claims: certSource(namespaces),
    isWorth,
    workers: 1,
    status: { kind: 'subresource', observedGeneration: false },
    summary: 'Exported',
    reconciler: {
      observe: (key, world, signal) => observeExport(key, { world, namespaces: exportNamespaces, signal }),
      decide: seen => decideExport(seen, { readyMs }),
      act: exportAct(options),
      report: ({ plan, outcomes }) => {
        const [trouble] = failuresOf(outcomes)
        if (trouble === undefined) return plan.conditions.length === 0 ? undefined : { conditions: plan.conditions }
        const reason = trouble.reason === 'OwnedByAnother' ? 'Conflict' : trouble.reason
        return told.has(reason) ? { conditions: [exported('False', reason, trouble.message)] } : undefined
      },
    },
  })
}

/** Weather is tried again before anybody is told. */
const told = new Set(['NotExportable', 'AccessDenied', 'Forbidden', 'Conflict'])

function isWorth(change: Change): boolean {
  if (change.kind !== 'changed') return true
  return whatMatters(change.object) !== whatMatters(change.previous)
}

function whatMatters(object: Change['object']): string {
  const { certificateArn, certReady, serial }: Cert['status'] & object = record(Reflect.get(object, 'status'))
  return JSON.stringify([object.metadata.generation, certificateArn, certReady, serial])
}
