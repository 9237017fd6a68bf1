// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The properties of a class of places, in the shape of GeoJSON: `type` is "Point", `coordinates` are longitude,
/// latitude and perhaps altitude.
struct GeoColumns: Sendable {
    let type: ColumnKey
    let coordinates: ColumnKey
}
