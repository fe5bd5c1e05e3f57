// The metrics of an autoscaler as `autoscaling/v1` writes them, and as `autoscaling/v2` does. The older form names amounts by their
// kind, the newer one keeps them together; one that v1 must have and v2 lacks is nought.
import { isObject, type Json, type JsonObject, objectWith } from '../../json.ts'
import { objectOf } from '../validate/checks.ts'

/** What is wanted of a metric, and what it is now. */
export type Side = 'target' | 'current'

/** In the order in which the server writes them. */
const sources = ['object', 'pods', 'resource', 'containerResource', 'external'] as const
type Source = (typeof sources)[number]

export function metricToV1(metric: JsonObject, side: Side): JsonObject {
  return eachSource(metric, (source, value) => sourceToV1(source, value, side))
}

export function metricFromV1(metric: JsonObject, side: Side): JsonObject {
  return eachSource(metric, (source, value) => sourceFromV1(source, value, side))
}

function eachSource(metric: JsonObject, convert: (source: Source, value: JsonObject) => JsonObject): JsonObject {
  const converted = sources.flatMap(source => {
    const value = metric[source]
    return isObject(value) ? [[source, convert(source, value)] as const] : []
  })
  return { type: metric.type ?? '', ...Object.fromEntries(converted) }
}

function sourceToV1(source: Source, value: JsonObject, side: Side): JsonObject {
  const amounts = objectOf(value[side])
  const { name: metricName = '', selector } = objectOf(value.metric)
  const needed = (amount: Json | undefined): Json => amount ?? '0'
  const average = `${side}AverageValue`
  switch (source) {
    case 'object': {
      const { kind = '', name = '', apiVersion } = objectOf(value.describedObject)
      const target = objectWith({ kind, name, apiVersion })
      return objectWith({
        target,
        metricName,
        [`${side}Value`]: needed(amounts.value),
        selector,
        averageValue: amounts.averageValue,
      })
    }
    case 'pods':
      return objectWith({ metricName, [average]: needed(amounts.averageValue), selector })
    case 'external': {
      const amount = side === 'target' ? amounts.value : needed(amounts.value)
      return objectWith({ metricName, metricSelector: selector, [`${side}Value`]: amount, [average]: amounts.averageValue })
    }
    default: {
      const { name = '', container } = value
      const amount = side === 'target' ? amounts.averageValue : needed(amounts.averageValue)
      return objectWith({ name, [`${side}AverageUtilization`]: amounts.averageUtilization, [average]: amount, container })
    }
  }
}

function sourceFromV1(source: Source, value: JsonObject, side: Side): JsonObject {
  const metric = objectWith({ name: value.metricName ?? '', selector: value.selector ?? value.metricSelector })
  const [whole, average] = [value[`${side}Value`], value[`${side}AverageValue`]]
  const amounts = (type: string, members: Readonly<Record<string, Json | undefined>>): JsonObject =>
    objectWith({ type: side === 'target' ? type : undefined, ...members })
  switch (source) {
    case 'object': {
      const type = value.averageValue === undefined ? 'Value' : 'AverageValue'
      return {
        describedObject: objectOf(value.target),
        metric,
        [side]: amounts(type, { value: whole ?? '0', averageValue: value.averageValue }),
      }
    }
    case 'pods':
      return { metric, [side]: amounts('AverageValue', { averageValue: average ?? '0' }) }
    case 'external':
      return {
        metric,
        [side]: amounts(whole === undefined ? 'AverageValue' : 'Value', { value: whole, averageValue: average }),
      }
    default: {
      const averageUtilization = value[`${side}AverageUtilization`]
      const type = averageUtilization === undefined ? 'AverageValue' : 'Utilization'
      return objectWith({
        name: value.name ?? '',
        container: value.container,
        [side]: amounts(type, { averageValue: average, averageUtilization }),
      })
    }
  }
}
