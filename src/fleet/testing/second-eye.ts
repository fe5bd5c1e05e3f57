// A controller that decides nothing: it makes the engine watch what a real one would, and hears what a real one would.
import { configMaps } from '#kube'
import { type AnyController, type ControllerDefinition, defineController, emptyPlan } from '#runtime'

export function secondEye(more: Partial<ControllerDefinition<undefined>>): AnyController {
  return defineController<undefined>({
    name: 'second-eye',
    claims: { type: configMaps, labelSelector: 'nobody=has-it' },
    status: { kind: 'none' },
    reconciler: { observe: () => undefined, decide: () => emptyPlan },
    ...more,
  })
}
