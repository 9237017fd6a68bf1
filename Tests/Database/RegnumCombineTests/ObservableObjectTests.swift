// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Combine
import OpenCombine
import TestTraits
import Testing

private class Score: ObservableObject {
    var points = 0 { willSet { objectWillChange.send() } }
}

private final class NamedScore: Score {
    @Published var name = ""
}

/// The events of an observable object, in a file that imports OpenCombine too.
@Suite struct ObservableObjectTests {
    @Test(.behaviour("W03")) func anObjectWithoutPublishedPropertiesHasOnePublisher() {
        let score = Score()
        var count = 0
        let sink = score.objectWillChange.sink { count += 1 }
        score.points += 1
        score.points += 1
        #expect(count == 2)
        #expect(score.objectWillChange === score.objectWillChange)
        #expect(score.objectWillChange !== Score().objectWillChange)
        withExtendedLifetime(sink) {}
    }

    @Test func publishedPropertiesAndTheObjectItselfSendByOnePublisher() {
        let score = NamedScore()
        var count = 0
        let sink = score.objectWillChange.sink { count += 1 }
        score.name = "Ada"
        score.points = 1
        #expect(count == 2)
        withExtendedLifetime(sink) {}
    }

    @Test func theNextObjectAtAnAddressHasAPublisherOfItsOwn() {
        var publishers: [ObjectIdentifier: ObservableObjectPublisher] = [:]
        for _ in 0..<1000 {
            let publisher = Score().objectWillChange
            #expect(publishers.updateValue(publisher, forKey: ObjectIdentifier(publisher)) == nil)
        }
    }

    @Test func aPublisherDoesNotKeepItsObject() {
        weak var gone: Score?
        let publisher = {
            let score = Score()
            gone = score
            return score.objectWillChange
        }()
        #expect(gone == nil)
        withExtendedLifetime(publisher) {}
    }
}
