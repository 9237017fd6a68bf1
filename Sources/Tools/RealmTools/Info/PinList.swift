// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmValues

package struct PinList {
    let pins: [PinInfo]
    let newest: UInt64
    /// Nanoseconds since 1970.
    let now: Int64

    package init(pins: [PinInfo], newest: UInt64, now: Int64) {
        self.pins = pins
        self.newest = newest
        self.now = now
    }

    var lines: [String] {
        guard !pins.isEmpty else { return ["no program keeps a version"] }
        var table = TextTable([.right, .right, .right, .right, .left, .right, .left])
        table.add(["version", "behind", "bytes held", "process", "since", "holders", "held by"])
        for pin in pins {
            table.add([
                "\(pin.version)", (newest - min(newest, pin.version)).grouped, pin.heldByteCount.grouped,
                "\(pin.processIdentifier)", PinList.age(CurrentProcess.nanoseconds(from: pin.since, to: now)),
                pin.holders.grouped, pin.label.printable,
            ])
        }
        return table.lines
    }

    package var json: JSONText {
        JSONText.object { json in
            json.member("version", newest)
            json.member("pins", pins) { $0.raw(PinList.json($1)) }
        }
    }

    private static func json(_ pin: PinInfo) -> JSONText {
        JSONText.object { json in
            json.member("version", pin.version)
            json.member("process", pin.processIdentifier)
            json.member("since", pin.since)
            json.member("holders", pin.holders)
            json.member("bytesHeld", pin.heldByteCount)
            json.member("label", pin.label)
        }
    }

    static func age(_ nanoseconds: Int64) -> String {
        let seconds = max(0, nanoseconds) / 1_000_000_000
        switch seconds {
        case 0..<60: return "\(seconds) s"
        case 60..<3600: return "\(seconds / 60) min \(seconds % 60) s"
        case 3600..<86_400: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        default: return "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
        }
    }
}
