// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import SwiftUI
import Testing

final class EvaluationCount: Sendable {
    @MainActor static var value = 0
}

struct Counted: View {
    var body: some View {
        EvaluationCount.value += 1
        return Text("counted")
    }
}

#Preview {
    Counted()
}

#Preview("Two views") {
    Counted()
    Text("another")
}

#Preview("A statement first") {
    let text = "said"
    Text(text)
}

/// The macro of Xcode's previews, without Xcode: its views are type-checked, and nothing is run.
@MainActor @Suite struct PreviewTests {
    @Test func nothingOfAPreviewIsRun() {
        #expect(EvaluationCount.value == 0)
        _ = Counted().body
        #expect(EvaluationCount.value == 1)
    }
}
