// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    // The text restricts the results to those in whose property it stands. It is set together with the search, so that
    // both come in one evaluation; a text that the program sets otherwise is followed after the evaluation that shows
    // it.

    extension View {
        /// Puts a search field into the bar of the page, and restricts results to those in whose property the
        /// text stands, as it is written.
        public func searchable<T: ObjectBase>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Puts a search field into the bar of the page, and restricts results to those in whose property the
        /// text stands, as it is written.
        public func searchable<T: ObjectBase>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Puts a search field into the bar of the page, and restricts results to those in whose property the
        /// text stands, as it is written.
        @_disfavoredOverload public func searchable<T: ObjectBase, S>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: S
        ) -> some View where S: StringProtocol {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Puts a search field with suggestions into the bar of the page, and restricts results to those in whose
        /// property the text stands, as it is written.
        public func searchable<T: ObjectBase, V>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil,
            @ViewBuilder suggestions: () -> V
        ) -> some View where V: View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(
                text: search.text, placement: placement, prompt: prompt, suggestions: suggestions)
        }

        /// Puts a search field with suggestions into the bar of the page, and restricts results to those in whose
        /// property the text stands, as it is written.
        public func searchable<T: ObjectBase, V>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey,
            @ViewBuilder suggestions: () -> V
        ) -> some View where V: View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(
                text: search.text, placement: placement, prompt: prompt, suggestions: suggestions)
        }

        /// Puts a search field with suggestions into the bar of the page, and restricts results to those in whose
        /// property the text stands, as it is written.
        @_disfavoredOverload public func searchable<T: ObjectBase, S, V>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: S,
            @ViewBuilder suggestions: () -> V
        ) -> some View where S: StringProtocol, V: View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(
                text: search.text, placement: placement, prompt: prompt, suggestions: suggestions)
        }

        /// Puts a search field into the bar of the page, and restricts results to those in whose property the text
        /// stands, by some options. An addition to Realm's API.
        public func searchable<T: ObjectBase>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>, options: StringOptions,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), options)
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Puts a search field into the bar of the page, and restricts results to those in whose property the text
        /// stands, by some options. An addition to Realm's API.
        public func searchable<T: ObjectBase>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String?>, options: StringOptions,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), options)
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Puts a search field into the bar of the page, and restricts results to those in whose property, which may be
        /// nil, the text stands, as it is written. An addition to Realm's API.
        public func searchable<T: ObjectBase>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String?>,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            searchable(
                text: text, collection: collection, keyPath: keyPath, options: [], placement: placement, prompt: prompt)
        }

        /// Puts a search field into the bar of the page, and restricts sections to those in whose property the
        /// text stands, as it is written.
        public func searchable<Key, T: ObjectBase>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Puts a search field into the bar of the page, and restricts sections to those in whose property the
        /// text stands, as it is written.
        public func searchable<Key, T: ObjectBase>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Puts a search field into the bar of the page, and restricts sections to those in whose property the
        /// text stands, as it is written.
        @_disfavoredOverload public func searchable<Key, T: ObjectBase, S>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: S
        ) -> some View where S: StringProtocol {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Puts a search field with suggestions into the bar of the page, and restricts sections to those in whose
        /// property the text stands, as it is written.
        public func searchable<Key, T: ObjectBase, V>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil,
            @ViewBuilder suggestions: () -> V
        ) -> some View where V: View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(
                text: search.text, placement: placement, prompt: prompt, suggestions: suggestions)
        }

        /// Puts a search field with suggestions into the bar of the page, and restricts sections to those in whose
        /// property the text stands, as it is written.
        public func searchable<Key, T: ObjectBase, V>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey,
            @ViewBuilder suggestions: () -> V
        ) -> some View where V: View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(
                text: search.text, placement: placement, prompt: prompt, suggestions: suggestions)
        }

        /// Puts a search field with suggestions into the bar of the page, and restricts sections to those in whose
        /// property the text stands, as it is written.
        @_disfavoredOverload public func searchable<Key, T: ObjectBase, S, V>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: S,
            @ViewBuilder suggestions: () -> V
        ) -> some View where S: StringProtocol, V: View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(
                text: search.text, placement: placement, prompt: prompt, suggestions: suggestions)
        }

        /// Puts a search field into the bar of the page, and restricts sections to those in whose property the text
        /// stands, by some options. An addition to Realm's API.
        public func searchable<Key, T: ObjectBase>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            options: StringOptions,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), options)
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Puts a search field into the bar of the page, and restricts sections to those in whose property the text
        /// stands, by some options. An addition to Realm's API.
        public func searchable<Key, T: ObjectBase>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String?>,
            options: StringOptions,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), options)
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Puts a search field into the bar of the page, and restricts sections to those in whose property, which may
        /// be nil, the text stands, as it is written. An addition to Realm's API.
        public func searchable<Key, T: ObjectBase>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String?>,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            searchable(
                text: text, collection: collection, keyPath: keyPath, options: [], placement: placement, prompt: prompt)
        }
    }

    /// A wrapper whose query can be restricted to what holds a text.
    @MainActor private protocol SearchableResults {
        func search(_ text: String, in property: String, _ options: StringOptions)
    }

    extension ObservedResults: SearchableResults {}
    extension ObservedSectionedResults: SearchableResults {}

    /// A search in what a wrapper shows.
    @MainActor private struct Search {
        private let original: Binding<String>
        private let apply: @MainActor @Sendable (String) -> Void

        init(
            _ text: Binding<String>, _ results: some SearchableResults, _ property: String, _ options: StringOptions
        ) {
            original = text
            apply = { results.search($0, in: property, options) }
        }

        /// The text, which takes the search with it.
        var text: Binding<String> {
            let (original, apply) = (original, apply)
            return Binding(
                get: { @MainActor in original.wrappedValue },
                set: { @MainActor in
                    original.wrappedValue = $0
                    apply($0)
                })
        }

        /// A view that searches for what the program puts into the text.
        func follow<V: View>(_ view: V) -> some View {
            let (original, apply) = (original, apply)
            return view.onAppear { MainActor.assumeIsolated { apply(original.wrappedValue) } }
                .onChange(of: original.wrappedValue) { text in MainActor.assumeIsolated { apply(text) } }
        }
    }
#endif
