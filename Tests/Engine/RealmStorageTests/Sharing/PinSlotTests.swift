// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// The encoding of pins.
@Suite struct PinSlotTests {
    private let slot = PinSlot(
        VersionRecord(version: 0x1122_3344_5566_7788, topRef: 4096, logicalSize: 1 << 40), since: -5, holders: 70_000,
        label: "Realm, eingefroren ❄", isConfirmed: false)

    @Test func aSlotIsReadAsItWasWritten() {
        #expect(slot.bytes.count == PinSlot.byteCount)
        var confirmed = slot
        confirmed.isConfirmed = true
        for slot in [slot, confirmed] { #expect(PinSlot.read(slot.bytes[...]) == .pin(slot)) }
        #expect(PinSlot.read(PinSlot.empty[...]) == .empty)
    }

    /// A mixture of halves of an old and a new slot is invalid, for any cut.
    @Test func aTornSlotIsNoticed() {
        var other = slot
        other.label = "another one that holds it"
        other.since = 1 << 60
        let forms = [PinSlot.empty, slot.bytes, other.bytes]
        for old in forms {
            for new in forms where new != old {
                for cut in 0...PinSlot.byteCount {
                    let mixed = Array(new[..<cut] + old[cut...])
                    let expected = forms.contains(mixed) ? PinSlot.read(mixed[...]) : .torn
                    #expect(PinSlot.read(mixed[...]) == expected)
                }
            }
        }
    }

    @Test func everyChangedByteIsNoticed() {
        for index in 0..<PinSlot.byteCount {
            for bit in 0..<8 {
                var bytes = slot.bytes
                bytes[index] ^= 1 << bit
                #expect(PinSlot.read(bytes[...]) == .torn)
            }
        }
    }

    @Test func aLongLabelIsCut() {
        for length in 60...100 {
            let label = String(repeating: "a", count: length - 40) + String(repeating: "é", count: 20)
            let slot = PinSlot(slot.record, since: 0, holders: 1, label: label, isConfirmed: true)
            #expect(label.hasPrefix(slot.label))
            #expect(PinSlot.read(slot.bytes[...]) == .pin(slot))
            #expect(slot.label.utf8.count > 80 || slot.label == label)
        }
    }
}
