import type { ServiceModel } from '#aws'
import { sortedRecord } from './json.ts'
import { membersOf } from './references.ts'

/** The model with only the shapes that its operations (all, or those named) reach. What is committed goes through this. */
export function pruneModel(model: ServiceModel, operationNames?: ReadonlySet<string>): ServiceModel {
  const operations = Object.entries(model.operations).filter(([name]) => operationNames?.has(name) ?? true)
  const reached = new Set<string>()
  const waiting = operations.flatMap(([, { input, output, errors }]) => [input, output, ...errors])
  while (waiting.length > 0) {
    const name = waiting.pop()
    if (name === undefined || reached.has(name)) continue
    reached.add(name)
    const shape = model.shapes[name]
    if (shape !== undefined) waiting.push(...membersOf(shape).map(([, { target }]) => target))
  }
  const shapes = sortedRecord(Object.entries(model.shapes).filter(([name]) => reached.has(name)))
  return { ...model, operations: sortedRecord(operations), shapes }
}
