// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.
// swift-format-ignore-file

import Foundation
import RealmSwift

// Two hundred classes, as in a large app, for measuring the opening of a file.

final class Wide001: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide002: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide003: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide004: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide005: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide006: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide007: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide008: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide009: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide010: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide011: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide012: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide013: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide014: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide015: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide016: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide017: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide018: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide019: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide020: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide021: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide022: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide023: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide024: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide025: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide026: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide027: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide028: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide029: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide030: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide031: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide032: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide033: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide034: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide035: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide036: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide037: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide038: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide039: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide040: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide041: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide042: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide043: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide044: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide045: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide046: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide047: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide048: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide049: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide050: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide051: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide052: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide053: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide054: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide055: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide056: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide057: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide058: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide059: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide060: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide061: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide062: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide063: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide064: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide065: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide066: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide067: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide068: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide069: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide070: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide071: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide072: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide073: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide074: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide075: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide076: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide077: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide078: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide079: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide080: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide081: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide082: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide083: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide084: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide085: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide086: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide087: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide088: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide089: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide090: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide091: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide092: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide093: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide094: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide095: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide096: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide097: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide098: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide099: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide100: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide101: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide102: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide103: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide104: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide105: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide106: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide107: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide108: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide109: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide110: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide111: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide112: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide113: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide114: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide115: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide116: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide117: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide118: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide119: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide120: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide121: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide122: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide123: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide124: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide125: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide126: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide127: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide128: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide129: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide130: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide131: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide132: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide133: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide134: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide135: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide136: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide137: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide138: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide139: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide140: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide141: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide142: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide143: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide144: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide145: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide146: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide147: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide148: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide149: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide150: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide151: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide152: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide153: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide154: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide155: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide156: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide157: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide158: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide159: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide160: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide161: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide162: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide163: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide164: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide165: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide166: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide167: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide168: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide169: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide170: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide171: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide172: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide173: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide174: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide175: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide176: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide177: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide178: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide179: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide180: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide181: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide182: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide183: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide184: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide185: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide186: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide187: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide188: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide189: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide190: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide191: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide192: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide193: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide194: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide195: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide196: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide197: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide198: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide199: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}
final class Wide200: Object {
    @Persisted(primaryKey: true) var id: Int; @Persisted(indexed: true) var name: String
    @Persisted var amount: Double; @Persisted var made: Date; @Persisted var active: Bool
}

let wideClasses: [ObjectBase.Type] = [
    Wide001.self, Wide002.self, Wide003.self, Wide004.self, Wide005.self, Wide006.self, Wide007.self, Wide008.self, Wide009.self, Wide010.self,
    Wide011.self, Wide012.self, Wide013.self, Wide014.self, Wide015.self, Wide016.self, Wide017.self, Wide018.self, Wide019.self, Wide020.self,
    Wide021.self, Wide022.self, Wide023.self, Wide024.self, Wide025.self, Wide026.self, Wide027.self, Wide028.self, Wide029.self, Wide030.self,
    Wide031.self, Wide032.self, Wide033.self, Wide034.self, Wide035.self, Wide036.self, Wide037.self, Wide038.self, Wide039.self, Wide040.self,
    Wide041.self, Wide042.self, Wide043.self, Wide044.self, Wide045.self, Wide046.self, Wide047.self, Wide048.self, Wide049.self, Wide050.self,
    Wide051.self, Wide052.self, Wide053.self, Wide054.self, Wide055.self, Wide056.self, Wide057.self, Wide058.self, Wide059.self, Wide060.self,
    Wide061.self, Wide062.self, Wide063.self, Wide064.self, Wide065.self, Wide066.self, Wide067.self, Wide068.self, Wide069.self, Wide070.self,
    Wide071.self, Wide072.self, Wide073.self, Wide074.self, Wide075.self, Wide076.self, Wide077.self, Wide078.self, Wide079.self, Wide080.self,
    Wide081.self, Wide082.self, Wide083.self, Wide084.self, Wide085.self, Wide086.self, Wide087.self, Wide088.self, Wide089.self, Wide090.self,
    Wide091.self, Wide092.self, Wide093.self, Wide094.self, Wide095.self, Wide096.self, Wide097.self, Wide098.self, Wide099.self, Wide100.self,
    Wide101.self, Wide102.self, Wide103.self, Wide104.self, Wide105.self, Wide106.self, Wide107.self, Wide108.self, Wide109.self, Wide110.self,
    Wide111.self, Wide112.self, Wide113.self, Wide114.self, Wide115.self, Wide116.self, Wide117.self, Wide118.self, Wide119.self, Wide120.self,
    Wide121.self, Wide122.self, Wide123.self, Wide124.self, Wide125.self, Wide126.self, Wide127.self, Wide128.self, Wide129.self, Wide130.self,
    Wide131.self, Wide132.self, Wide133.self, Wide134.self, Wide135.self, Wide136.self, Wide137.self, Wide138.self, Wide139.self, Wide140.self,
    Wide141.self, Wide142.self, Wide143.self, Wide144.self, Wide145.self, Wide146.self, Wide147.self, Wide148.self, Wide149.self, Wide150.self,
    Wide151.self, Wide152.self, Wide153.self, Wide154.self, Wide155.self, Wide156.self, Wide157.self, Wide158.self, Wide159.self, Wide160.self,
    Wide161.self, Wide162.self, Wide163.self, Wide164.self, Wide165.self, Wide166.self, Wide167.self, Wide168.self, Wide169.self, Wide170.self,
    Wide171.self, Wide172.self, Wide173.self, Wide174.self, Wide175.self, Wide176.self, Wide177.self, Wide178.self, Wide179.self, Wide180.self,
    Wide181.self, Wide182.self, Wide183.self, Wide184.self, Wide185.self, Wide186.self, Wide187.self, Wide188.self, Wide189.self, Wide190.self,
    Wide191.self, Wide192.self, Wide193.self, Wide194.self, Wide195.self, Wide196.self, Wide197.self, Wide198.self, Wide199.self, Wide200.self,
]
