// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import Testing

@testable import RealmSwift

@Suite struct DynamicBridgeCastTests {
    @Test func thereAndBack() {
        #expect(dynamicBridgeCast(fromSwift: Size.large) as? Int == 7)
        #expect(dynamicBridgeCast(fromSwift: 3) as? Int == 3)
        let size: Size = dynamicBridgeCast(fromObjectiveC: 7)
        #expect(size == .large)
        let number: Int8? = dynamicBridgeCast(fromObjectiveC: 5)
        #expect(number == 5)
    }
}
