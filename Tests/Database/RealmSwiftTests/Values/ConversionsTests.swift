// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import Testing

@testable import RealmSwift

@Suite struct ConversionsTests {
    private static let dates: [(time: Double, seconds: Int64, nanoseconds: Int32)] = [
        (0, 978_307_200, 0), (1.5, 978_307_201, 500_000_000), (-0.25, 978_307_199, 750_000_000),
        (-978_307_200, 0, 0), (-978_307_200.5, 0, -500_000_000), (-978_307_199.5, 0, 500_000_000),
        (-978_307_201.25, -1, -250_000_000), (1e18, 1_000_000_000_978_307_200, 0), (Double.nan, 0, 0),
        (0x1p63, Int64.max, 999_999_999), (Double.infinity, Int64.max, 999_999_999),
        (0x1p63 - 1024, Int64.max, 999_999_999), (-0x1p63, Int64.min + 978_307_200, 0),
        (-0x1p63 - 2048, Int64.min, -999_999_999), (-Double.infinity, Int64.min, -999_999_999),
    ]

    @Test func datesToTimestamps() {
        for (time, seconds, nanoseconds) in Self.dates {
            let timestamp = Timestamp(Date(timeIntervalSinceReferenceDate: time))
            #expect(timestamp == Timestamp(seconds: seconds, nanoseconds: nanoseconds), "\(time)")
            #expect(timestamp.isValid, "\(time)")
        }
    }

    @Test func timestampsToDates() {
        func time(_ seconds: Int64, _ nanoseconds: Int32) -> Double {
            Date(Timestamp(seconds: seconds, nanoseconds: nanoseconds)).timeIntervalSinceReferenceDate
        }
        #expect(time(0, 0) == -978_307_200 && time(978_307_200, 0) == 0 && time(978_307_201, 250_000_000) == 1.25)
        #expect(time(978_307_200, 1) == 1e-9 && time(0, -500_000_000) == -978_307_200.5)
        #expect(time(.min, -999_999_999) == -0x1p63 - 978_307_200 && time(.max, 999_999_999) == 0x1p63 - 978_307_200)
    }

    /// A date round-trips if its double represents whole nanoseconds, and otherwise differs by at most one.
    @Test func roundTrip() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("roundTrip: seed \(seed)")
        var state = seed
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let time = Double(Int64(bitPattern: state) >> 20) / 1024
            let date = Date(timeIntervalSinceReferenceDate: time)
            let timestamp = Timestamp(date)
            #expect(timestamp.isValid, "\(time)")
            #expect(abs(Date(timestamp).timeIntervalSinceReferenceDate - time) <= 1e-9 + abs(time).ulp, "\(time)")
        }
    }

    @Test func uuids() {
        let uuid = UUID(uuidString: "12345678-9ABC-DEF0-0123-456789ABCDEF")!
        #expect(UUIDBytes(uuid) == UUIDBytes(high: 0x1234_5678_9ABC_DEF0, low: 0x0123_4567_89AB_CDEF))
        #expect(UUID(UUIDBytes(uuid)) == uuid)
    }
}
