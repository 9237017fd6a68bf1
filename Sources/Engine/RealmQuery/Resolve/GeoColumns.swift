// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The columns of a class of GeoJSON points: `type` is "Point", `coordinates` are longitude, latitude and optionally
/// altitude.
struct GeoColumns: Sendable {
    let type: ColumnKey
    let coordinates: ColumnKey
}
